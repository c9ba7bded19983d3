import type { Translation } from '../translation'

/** The settings of one instance. */
export const instanceSettings: Translation['settings']['instance'] = {
  change: 'الإعدادات',
  changeOf: 'إعدادات ⁨{{instance}}⁩',
  title: 'إعدادات ⁨{{instance}}⁩',
  text: 'اترك الحقل فارغًا لاستخدام ما تعلنه الخدمة نفسها.',
  loading: 'جارٍ قراءة الإعدادات',
  notOffered: 'لا تعلن الخدمة عن أي عنوان',
  notKnown: 'يتعذّر سؤال الخدمة الآن',
  clientId: 'معرّف العميل',
  clientIdText: 'الاسم الذي يسجّل به Causeway الدخول. سجّل الدخول مجددًا بعد تغييره.',
  attachments: 'عنوان المرفقات',
  content: 'عنوان الأخبار',
  organizations: 'عنوان المؤسسات',
  userId: 'معرّف المستخدم الخاص بك',
  userIdText: 'لخدمة مرفقات لا تتعرّف عليك تلقائيًا.',
  roles: 'أدوارك فيها',
  role: {
    ADMINISTRATOR: 'مسؤول',
    CONTRIBUTOR: 'مساهم',
    MEMBER: 'عضو',
  },
  save: 'حفظ',
  cancel: 'إلغاء',
  saved: 'تم الحفظ.',
  invalid: {
    address:
      'لا يمكن استخدام هذا. أدخل عنوانًا يبدأ بـ ⁨https://⁩ ولا يحتوي على اسم مستخدم ولا على ⁨?⁩ أو ⁨#⁩.',
    clientId: 'لا يمكن استخدام هذا. أدخل المعرّف المسجّل لدى الخدمة، مثل ⁨org.example.app⁩.',
    userId: 'لا يمكن استخدام هذا. أدخل حروفًا وأرقامًا ورموزًا دون مسافات، بحد أقصى 255.',
  },
}
