"""A passage in each of many languages, and the encodings that files in it have."""

from __future__ import annotations

PASSAGES = {
    "fr": (
        "cp1252 iso8859-1 iso8859-15 mac-roman",
        "Résumé des travaux de l’été. Le café était fermé, mais la boulangère nous a donné du pain. À la fin "
        "de la journée, les élèves sont rentrés à pied par la forêt, où les chênes perdaient déjà leurs "
        "feuilles. Le maire a décidé que la fête aurait lieu près de l’église. Personne n’était fâché, même "
        "si la pluie tombait très fort. Ça va être une belle soirée, dit-il en souriant à sa sœur.",
    ),
    "de": (
        "cp1252 iso8859-1 iso8859-15 mac-roman",
        "Der Müller öffnet früh am Morgen das Tor. Über Nacht ist das Wasser gestiegen, und die Räder drehen "
        "sich schnell. Die Bäuerin bringt zwölf Säcke Weizen und hört, dass der Preis gefallen ist. „Das ist "
        "schön für die Bäcker“, sagt sie, „aber für uns wäre es besser, er bliebe gleich.“ Außerdem müssen "
        "die Straßen repariert werden. Große Löcher füllen sich bei Regen, und kein Wagen kommt ohne Mühe "
        "durch.",
    ),
    "es": (
        "cp1252 iso8859-1 iso8859-15 mac-roman",
        "El niño salió de la casa muy temprano. ¿Quién había dejado la puerta abierta? Su hermana pequeña "
        "dormía todavía en la habitación del fondo, y el perro ladraba detrás del jardín. Mañana vendrá el "
        "médico, dijo la señora, y después iremos a la montaña. La canción que sonaba en la radio hablaba de "
        "un león y de un ratón. Así pasó el año más frío de nuestra vida.",
    ),
    "pt": (
        "cp1252 iso8859-1 iso8859-15",
        "A estação fica perto da praça, mas não há comboios depois das nove. As crianças já estão cansadas e "
        "querem pão com manteiga. O avô contou a história do coração de pedra. Amanhã é domingo, então "
        "ninguém trabalha. A decisão foi tomada pela câmara no mês passado, e a população ficou satisfeita. "
        "Também haverá uma exposição de fotografias sobre a região.",
    ),
    "it": (
        "cp1252 iso8859-1",
        "La città è più tranquilla la mattina. Perché non sei venuto? Il caffè era già freddo e la libertà di"
        " parola non c’entrava nulla. Lunedì partirà il treno, così potremo vedere la società dei pescatori. "
        "La verità è che nessuno sapeva dov’era la chiave. Però la nonna, che ha ottant’anni, l’aveva messa "
        "sotto il vaso. Un’altra volta, disse, starò più attenta.",
    ),
    "sv": (
        "cp1252 iso8859-1 mac-roman",
        "Båten går över sjön varje morgon. På andra sidan ligger en by där alla känner varandra. Det är kallt"
        " på hösten, och färjan är ofta försenad. Förra året stängdes skolan, så barnen måste åka längre. Men"
        " ingen klagar; de är vana vid att vänta. Fågeln sjöng i trädet när solen äntligen visade sig.",
    ),
    "da": (
        "cp1252 iso8859-1",
        "Færgen sejler over fjorden hver time. På øen bor der kun få mennesker, og de kender alle hinanden. "
        "Om sommeren kommer gæsterne for at bade, og så er kroen åben til sent. Køerne græsser på den grønne "
        "mark. Måske får vi regn i morgen, men høsten er næsten færdig. Bådene ligger stille i havnen.",
    ),
    "fi": (
        "cp1252 iso8859-1",
        "Lautta lähtee aamulla kello yhdeksän. Järven toisella puolella on pieni kylä, jossa kaikki tuntevat "
        "toisensa. Syksyllä sää on kylmä ja tie liukas. Äiti keittää kahvia ja isä lämmittää saunan. Lapset "
        "eivät pelkää pimeää metsää. Huomenna mennään kävelylle, jos ei sada. Tämä päivä oli pitkä, mutta "
        "hyvä.",
    ),
    "is": (
        "cp1252 iso8859-1",
        "Ferjan fer yfir fjörðinn á hverjum degi. Þar býr fólk sem þekkir allt saman. Veðrið er oft vont á "
        "veturna, en enginn kvartar. Við fórum í gær að skoða gömlu kirkjuna. Það var gaman að hlusta á "
        "söguna um drauginn. Hún sagði að hann hefði aldrei verið til. Á morgun verður sól.",
    ),
    "tr": (
        "cp1254 iso8859-9",
        "Köyün yanındaki değirmen yıllardır çalışmıyor. Ağaçların altında çocuklar oynuyor, büyükler çay "
        "içiyor. Şehirden gelen otobüs öğleden sonra kalkacak. Güneş batınca ışıklar yandı ve herkes evine "
        "döndü. Yarın sabah erken kalkmamız gerekiyor, çünkü yol çok uzun. Babam bahçedeki gülleri suladı, "
        "annem de ekmek pişirdi.",
    ),
    "pl": (
        "cp1250 iso8859-2",
        "Młyn stoi nad rzeką od wielu lat. Dzieci bawią się w ogrodzie, a dorośli piją herbatę. Jutro rano "
        "przyjedzie ciężarówka z mąką. Żaden z sąsiadów nie wiedział, gdzie jest klucz. Wieczorem, gdy "
        "zaświecił księżyc, wszyscy wrócili do domów. Jesień była w tym roku wyjątkowo ciepła, więc liście "
        "spadły dopiero w grudniu. Łódź płynęła spokojnie przez środek jeziora.",
    ),
    "cs": (
        "cp1250 iso8859-2",
        "Mlýn stojí u řeky už mnoho let. Děti si hrají na zahradě a dospělí pijí čaj. Zítra ráno přijede "
        "nákladní auto s moukou. Nikdo ze sousedů nevěděl, kde je klíč. Večer, když vyšel měsíc, všichni se "
        "vrátili domů. Podzim byl letos neobyčejně teplý, takže listí spadlo až v prosinci. Loď plula klidně "
        "středem jezera. Žluťoučký kůň běžel po louce.",
    ),
    "hu": (
        "cp1250 iso8859-2",
        "A malom évek óta áll a folyó mellett. A gyerekek a kertben játszanak, a felnőttek teát isznak. "
        "Holnap reggel megérkezik a teherautó a liszttel. Egyik szomszéd sem tudta, hol van a kulcs. Este, "
        "amikor feljött a hold, mindenki hazament. Az ősz idén különösen meleg volt, így a levelek csak "
        "decemberben hullottak le. Öt szép szűzlány őrült írót nyúz.",
    ),
    "ro": (
        "cp1250 iso8859-2",
        "Moara stă lângă râu de mulţi ani. Copiii se joacă în grădină, iar oamenii mari beau ceai. Mâine "
        "dimineaţă va sosi camionul cu făină. Niciunul dintre vecini nu ştia unde este cheia. Seara, când a "
        "răsărit luna, toţi s-au întors acasă. Toamna a fost anul acesta neobişnuit de caldă, aşa că frunzele"
        " au căzut abia în decembrie.",
    ),
    "hr": (
        "cp1250 iso8859-2",
        "Mlin stoji uz rijeku već mnogo godina. Djeca se igraju u vrtu, a odrasli piju čaj. Sutra ujutro doći"
        " će kamion s brašnom. Nitko od susjeda nije znao gdje je ključ. Navečer, kad je izašao mjesec, svi "
        "su se vratili kućama. Jesen je ove godine bila neobično topla, pa je lišće palo tek u prosincu. Žuta"
        " ćuprija vodi preko potoka.",
    ),
    "ru": (
        "cp1251 koi8-r iso8859-5 cp866 mac-cyrillic",
        "Мельница стоит у реки уже много лет. Дети играют в саду, а взрослые пьют чай. Завтра утром приедет "
        "грузовик с мукой. Никто из соседей не знал, где лежит ключ. Вечером, когда взошла луна, все "
        "вернулись домой. Осень в этом году была необычно тёплой, поэтому листья опали только в декабре. "
        "Лодка спокойно плыла по озеру.",
    ),
    "uk": (
        "cp1251 koi8-u",
        "Млин стоїть біля річки вже багато років. Діти граються в саду, а дорослі п'ють чай. Завтра вранці "
        "приїде вантажівка з борошном. Ніхто із сусідів не знав, де лежить ключ. Увечері, коли зійшов місяць,"
        " усі повернулися додому. Осінь цього року була незвично теплою, тому листя опало лише в грудні.",
    ),
    "bg": (
        "cp1251 iso8859-5",
        "Мелницата стои край реката от много години. Децата играят в градината, а възрастните пият чай. Утре "
        "сутринта ще пристигне камионът с брашното. Никой от съседите не знаеше къде е ключът. Вечерта, "
        "когато изгря луната, всички се върнаха у дома. Есента тази година беше необичайно топла.",
    ),
    "el": (
        "cp1253 iso8859-7",
        "Ο μύλος στέκεται δίπλα στο ποτάμι εδώ και πολλά χρόνια. Τα παιδιά παίζουν στον κήπο και οι μεγάλοι "
        "πίνουν τσάι. Αύριο το πρωί θα έρθει το φορτηγό με το αλεύρι. Κανένας από τους γείτονες δεν ήξερε πού"
        " ήταν το κλειδί. Το βράδυ, όταν βγήκε το φεγγάρι, όλοι γύρισαν στα σπίτια τους. Το φθινόπωρο φέτος "
        "ήταν ασυνήθιστα ζεστό.",
    ),
    "he": (
        "cp1255 iso8859-8",
        "הטחנה עומדת ליד הנהר כבר שנים רבות. הילדים משחקים בגן והמבוגרים שותים תה. מחר בבוקר תגיע המשאית עם "
        "הקמח. איש מן השכנים לא ידע היכן המפתח. בערב, כאשר עלה הירח, כולם חזרו הביתה. הסתיו השנה היה חם מאוד,"
        " ולכן העלים נשרו רק בחודש האחרון.",
    ),
    "ar": (
        "cp1256 iso8859-6",
        "تقف الطاحونة بجانب النهر منذ سنوات كثيرة. يلعب الأطفال في الحديقة ويشرب الكبار الشاي. ستصل الشاحنة "
        "صباح الغد ومعها الدقيق. لم يعرف أحد من الجيران أين المفتاح. في المساء عندما طلع القمر عاد الجميع إلى"
        " بيوتهم. كان الخريف هذا العام دافئا على غير العادة.",
    ),
    "lt": (
        "cp1257 iso8859-13",
        "Malūnas prie upės stovi jau daug metų. Vaikai žaidžia sode, o suaugusieji geria arbatą. Rytoj rytą "
        "atvažiuos sunkvežimis su miltais. Nė vienas kaimynas nežinojo, kur yra raktas. Vakare, kai patekėjo "
        "mėnulis, visi grįžo namo. Ruduo šiemet buvo neįprastai šiltas, todėl lapai nukrito tik gruodį.",
    ),
    "lv": (
        "cp1257 iso8859-13",
        "Dzirnavas pie upes stāv jau daudzus gadus. Bērni spēlējas dārzā, bet pieaugušie dzer tēju. Rīt no "
        "rīta atbrauks kravas mašīna ar miltiem. Neviens no kaimiņiem nezināja, kur ir atslēga. Vakarā, kad "
        "uzlēca mēness, visi atgriezās mājās. Rudens šogad bija neparasti silts.",
    ),
    "et": (
        "cp1257 iso8859-13 cp1252",
        "Veski seisab jõe ääres juba palju aastaid. Lapsed mängivad aias ja täiskasvanud joovad teed. Homme "
        "hommikul tuleb veoauto jahuga. Keegi naabritest ei teadnud, kus on võti. Õhtul, kui kuu tõusis, "
        "läksid kõik koju. Sügis oli tänavu tavatult soe, nii et lehed langesid alles detsembris.",
    ),
    "th": (
        "cp874",
        "โรงสีตั้งอยู่ริมแม่น้ำมาหลายปีแล้ว เด็ก ๆ เล่นอยู่ในสวน ส่วนผู้ใหญ่ดื่มน้ำชา "
        "พรุ่งนี้เช้ารถบรรทุกจะมาพร้อมกับแป้ง ไม่มีเพื่อนบ้านคนใดรู้ว่ากุญแจอยู่ที่ไหน "
        "ตอนเย็นเมื่อพระจันทร์ขึ้นทุกคนก็กลับบ้าน ฤดูใบไม้ร่วงปีนี้อบอุ่นผิดปกติ",
    ),
    "ja": (
        "cp932 shift_jis euc_jp iso2022_jp",
        "水車小屋は長い間、川のそばに立っている。子どもたちは庭で遊び、大人たちはお茶を飲む。明日の朝、小麦粉"
        "を積んだトラックが来る。近所の人は誰も鍵がどこにあるか知らなかった。夕方、月が出ると、みんな家に帰っ"
        "た。今年の秋はいつもより暖かく、葉が落ちたのは十二月だった。",
    ),
    "zh": (
        "gb18030 gbk gb2312",
        "磨坊在河边已经立了很多年。孩子们在花园里玩，大人们喝茶。明天早上卡车会运来面粉。邻居中没有人知道钥匙"
        "在哪里。晚上月亮升起的时候，大家都回家了。今年的秋天特别暖和，所以树叶到十二月才落下来。小船平静地划"
        "过湖心。",
    ),
    "zh-hant": (
        "big5",
        "磨坊在河邊已經立了很多年。孩子們在花園裡玩，大人們喝茶。明天早上卡車會運來麵粉。鄰居中沒有人知道鑰匙"
        "在哪裡。晚上月亮升起的時候，大家都回家了。今年的秋天特別暖和，所以樹葉到十二月才落下來。小船平靜地划"
        "過湖心。",
    ),
    "ko": (
        "euc_kr cp949 iso2022_kr",
        "방앗간은 오래전부터 강가에 서 있다. 아이들은 마당에서 놀고 어른들은 차를 마신다. 내"
        "일 아침에 밀가루를 실은 트럭이 온다. 이웃 사람들은 아무도 열쇠가 어디 있는지 몰랐다"
        ". "
        "저녁에 달이 뜨자 모두 집으로 돌아갔다. 올해 가을은 유난히 따뜻해서 나뭇잎이 늦게 떨어졌다.",
    ),
    "en": (
        "cp1252 mac-roman",
        "The mill stands by the river, and its wheel – a “great” thing – turns slowly. It’s the miller’s "
        "pride. Nobody knows who built it; the café beside it opened in the spring. The price is 20 £ a day, "
        "said Zoë, and she’d pay half of it. The road isn’t far, and the children don’t mind the rain.",
    ),
}
"""Encodings, divided by spaces, and the passage."""
