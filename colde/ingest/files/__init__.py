"""From the bytes of a file to characters, XML trees and parts of archives, in every format."""
