/** An entry in a language other than English. `paragraphs` are plain text. */
interface ForeignText {
  language: 'ru' | 'nl' | 'ar'
  type: 1 | 2 | 3 | 4
  title: string
  tags: [string, ...string[]]
  paragraphs: [string, string]
}

export const foreignTexts: readonly [ForeignText, ...ForeignText[]] = [
  {
    language: 'ru',
    type: 1,
    title: 'Провайдеры тестируют новый протокол шифрования',
    tags: ['шифрование', 'vpn'],
    paragraphs: [
      'Первые результаты показали, что скорость соединения почти не изменилась.',
      'Полностью перейти на новый протокол планируют к концу года.',
    ],
  },
  {
    language: 'nl',
    type: 4,
    title: 'Waarom je thuisnetwerk een eigen logboek verdient',
    tags: ['privacy', 'thuisnetwerk'],
    paragraphs: [
      'Wie bijhoudt welk apparaat wanneer verbinding maakt, ziet vreemde gasten meteen.',
      'Een notitie per week is genoeg, en niemand hoeft ervoor te programmeren.',
    ],
  },
  {
    language: 'ar',
    type: 4,
    title: 'كيف تحمي خصوصيتك على الشبكات العامة',
    tags: ['خصوصية', 'vpn'],
    paragraphs: [
      'ابدأ بتحديث جهازك قبل السفر، ثم تأكد من اسم الشبكة مع موظف الاستقبال.',
      'النفق المشفر يخفي المواقع التي تزورها عن صاحب الشبكة.',
    ],
  },
  {
    language: 'ru',
    type: 3,
    title: 'Видео: настраиваем домашний маршрутизатор за десять минут',
    tags: ['сети', 'видео'],
    paragraphs: [
      'Показываем каждый шаг, от первого входа до проверки обновлений.',
      'В конце отвечаем на вопросы из комментариев.',
    ],
  },
  {
    language: 'nl',
    type: 1,
    title: 'Universiteiten vervangen in één weekend al hun certificaten',
    tags: ['security', 'onderwijs'],
    paragraphs: [
      'Zestig beheerders zaten klaar, en om vier uur op zondag konden ze naar huis.',
      'De gebruikers merkten er niets van, en dat was precies de bedoeling.',
    ],
  },
  {
    language: 'ar',
    type: 1,
    title: 'مؤتمر جديد عن البرمجيات الحرة في الخريف',
    tags: ['opensource', 'مؤتمر'],
    paragraphs: [
      'يناقش المشاركون أمن الشبكات والشهادات الرقمية على مدى ثلاثة أيام.',
      'التسجيل مجاني للطلاب حتى نهاية الشهر.',
    ],
  },
  {
    language: 'ru',
    type: 2,
    title: 'Какой ваш любимый способ запоминать пароли?',
    tags: ['пароли', 'беседа'],
    paragraphs: [
      'Моя бабушка хранит их в книге рецептов, между борщом и пирогом.',
      'Расскажите, что придумали вы, только без самих паролей.',
    ],
  },
  {
    language: 'nl',
    type: 2,
    title: 'De gekste netwerknaam die je ooit hebt gezien',
    tags: ['wifi', 'gezelligheid'],
    paragraphs: [
      'Bij ons in de straat heet er een “Vraag oma om het wachtwoord”.',
      'Oma weet het trouwens ook niet meer.',
    ],
  },
  {
    language: 'ar',
    type: 3,
    title: 'شرح مصور: ماذا يحدث عندما تتصل بالنفق؟',
    tags: ['vpn', 'فيديو'],
    paragraphs: [
      'نتابع حزمة واحدة من الحاسوب إلى الخادم ثم إلى الموقع.',
      'الرسوم متاحة للتنزيل لمن يريد استخدامها في الصف.',
    ],
  },
  {
    language: 'ru',
    type: 4,
    title: 'Год без сторонних трекеров: что изменилось',
    tags: ['privacy', 'приватность'],
    paragraphs: [
      'Страницы стали открываться быстрее, а объявления перестали угадывать мысли.',
      'Самым трудным оказалось отказаться от удобных кнопок.',
    ],
  },
  {
    language: 'nl',
    type: 3,
    title: 'Kijk mee: een dag uit het leven van een datapakket',
    tags: ['netwerken', 'video'],
    paragraphs: [
      'Van de keukentafel in Zwolle naar een zaal vol servers en weer terug.',
      'De reis duurt elf milliseconden; de film gelukkig iets langer.',
    ],
  },
  {
    language: 'ar',
    type: 2,
    title: 'ما أول حاسوب استخدمته في حياتك؟',
    tags: ['ذكريات'],
    paragraphs: [
      'كان جهازي بذاكرة صغيرة وصوت مرتفع، وما زلت أحتفظ بلوحة مفاتيحه.',
      'شاركونا الصور والحكايات.',
    ],
  },
]
