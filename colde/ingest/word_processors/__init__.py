"""What Word documents, OpenDocument and RTF files share: styles of paragraphs, title pages, headings by their look."""
