import type { Translation } from '../translation'
import { attachments } from './attachments'
import { connection } from './connection'
import { desktop } from './desktop'
import { doctor } from './doctor'
import { errors } from './errors'
import { news } from './news'
import { organization } from './organization'
import { settings } from './settings'

/**
 * The texts in Arabic. Addresses, codes, paths and names stand between U+2068 and U+2069 (first strong isolate), so
 * that what is written from the left keeps its order and its signs within a sentence from the right.
 */
export const texts: Translation = {
  navigation: {
    label: 'الأقسام',
    skip: 'الانتقال إلى المحتوى',
    connection: 'الاتصال',
    messages: 'الرسائل',
    attachments: 'المرفقات',
    news: 'الأخبار',
    organization: 'المؤسسة',
    settings: 'الإعدادات',
    doctor: 'الفحص',
  },
  connection,
  instance: {
    choose: 'الخدمة',
    welcomeTitle: 'أضف خدمة VPN',
    welcomeText: 'تحصل على عنوانها من مؤسستك. بعد إضافتها تظهر ملفات تعريفك هنا.',
    welcomeWhat: 'يصل Causeway هذا الكمبيوتر بشبكة VPN الخاصة بمؤسستك.',
    nextTitle: 'ماذا يحدث بعد ذلك',
    nextBrowser: 'اضغط على «تسجيل الدخول». يُفتح متصفحك: سجّل الدخول فيه، ووافق على طلب Causeway.',
    nextProfiles: 'تظهر ملفات تعريفك هنا. اضغط على «اتصال» بجانب أحدها.',
    address: 'العنوان',
    addressHint: 'مثلًا ⁨vpn.example.org⁩',
    add: 'إضافة الخدمة',
    addAnother: 'إضافة خدمة أخرى',
    notNow: 'ليس الآن',
    signedIn: 'تم تسجيل الدخول',
    signedOut: 'لم يتم تسجيل الدخول',
    waiting: 'في انتظار متصفحك. وافق فيه على طلب Causeway، ثم عُد إلى هنا.',
    openAgain: 'فتح المتصفح مجددًا',
    copyLink: 'نسخ الرابط',
    timeLeft: 'الوقت المتبقي: ⁨{{time}}⁩',
    useClientId: 'حفظ وتسجيل الدخول',
    logInHint: 'يُفتح متصفحك لتسجيل الدخول، ثم تظهر ملفات تعريفك هنا.',
    loggedOut:
      'تم تسجيل خروجك هنا. لا تزال الخدمة تدرج Causeway ضمن التطبيقات التي وافقت عليها. لإلغاء الموافقة، افتح صفحة حسابك على ⁨{{address}}⁩.',
    logIn: 'تسجيل الدخول',
    cancel: 'إلغاء',
    logOut: 'تسجيل الخروج',
    refresh: 'تحديث',
    retry: 'إعادة المحاولة',
    profilesOf: 'ملفات تعريف ⁨{{instance}}⁩',
    loading: 'جارٍ جلب ملفات تعريفك…',
    noProfiles: 'لا يوجد ملف تعريف لك هنا. اطلب واحدًا من مؤسستك.',
    findProfile: 'البحث عن ملف تعريف',
    noProfileFound: 'لا يوجد ملف تعريف بهذا الاسم.',
    profileInUse: 'قيد الاستخدام',
    profileLast: 'آخر ما استخدمته',
    profileAllTraffic: 'تمر عبره كل حركة بياناتك',
    profileSomeTraffic: 'تمر عبره فقط حركة البيانات المتجهة إلى شبكته',
  },
  messages: {
    title: 'الرسائل',
    from: 'رسالة من ⁨{{instance}}⁩',
    unread: 'غير مقروءة',
    unreadCount_zero: 'لا رسائل غير مقروءة',
    unreadCount_one: 'رسالة غير مقروءة',
    unreadCount_two: 'رسالتان غير مقروءتين',
    unreadCount_few: '{{count, number}} رسائل غير مقروءة',
    unreadCount_many: '{{count, number}} رسالة غير مقروءة',
    unreadCount_other: '{{count, number}} رسالة غير مقروءة',
    refresh: 'تحديث',
    loading: 'جارٍ جلب رسائلك…',
    noneTitle: 'لا توجد رسائل',
    noneText: 'إذا كان لدى الخدمة ما تخبرك به، مثل صيانة مجدولة، فستقرؤه هنا.',
    noInstance: 'أضف أولًا خدمة VPN الخاصة بك في قسم «الاتصال». بعدها تظهر رسائلها هنا.',
    signedOut: 'سجّل الدخول إلى ⁨{{instance}}⁩ في قسم «الاتصال» لقراءة رسائلها.',
  },
  attachments,
  news,
  organization,
  settings,
  doctor,
  offline: {
    asOf: 'الحالة بتاريخ {{time}}: يتعذّر الوصول إلى ⁨{{instance}}⁩ الآن.',
  },
  notices: {
    title: 'قبل أن تتابع',
    dismiss: 'فهمت',
  },
  error: {
    code: 'الرمز: ⁨{{code}}⁩',
    serverSays: 'رد الخادم: ⁨{{text}}⁩',
    directive: 'التوجيه: ⁨{{directive}}⁩',
    endsAt: 'تنتهي في ⁨{{instance}}⁩ بتاريخ {{time}}.',
    endedAt: 'انتهت في ⁨{{instance}}⁩ بتاريخ {{time}}.',
    versions: 'إصدار الواجهة البرمجية المتاح: ⁨{{versions}}⁩',
    issuer:
      'أصدرَ الشهادةَ «⁨{{issuer}}⁩»، وهي جهة لا يثق بها هذا الكمبيوتر. إذا كانت مؤسستك تدير هذه الجهة، فاطلب إضافة شهادتها إلى مخزن الشهادات على هذا الكمبيوتر.',
    clientId: 'معرّف العميل المستخدم: ⁨{{clientId}}⁩',
    clockAhead: 'الساعة متقدمة على ساعة ⁨{{instance}}⁩ بمقدار {{by}}.',
    clockBehind: 'الساعة متأخرة عن ساعة ⁨{{instance}}⁩ بمقدار {{by}}.',
    busy: 'الخدمة مشغولة.',
    tryAgain: 'حاول مرة أخرى {{when}}.',
    credentials: {
      tokenRefused: {
        what: 'لم تقبل خدمة المؤسسات رمز الوصول.',
        todo: 'تحقق من أنه كامل ولم تنتهِ صلاحيته، أو اطلب رمزًا آخر من القائمين على الخدمة.',
      },
      passwordRefused: {
        what: 'لم تقبل خدمة المؤسسات اسم المستخدم وكلمة المرور.',
        todo: 'تحقق من كتابتهما، ثم أدخلهما مرة أخرى.',
      },
      passwordWanted: {
        what: 'تطلب خدمة المؤسسات هنا اسم مستخدم وكلمة مرور، لا رمز وصول.',
        todo: 'أدخل اسم المستخدم وكلمة المرور الخاصين بك لديها.',
      },
      tokenWanted: {
        what: 'تطلب خدمة المؤسسات هنا رمز وصول، لا اسم مستخدم وكلمة مرور.',
        todo: 'أدخل رمز الوصول الخاص بك لديها.',
      },
    },
    file: 'الملف: ⁨{{path}}⁩',
    boundaryTitle: 'يتعذّر عرض هذا القسم',
    boundaryText: 'لم يتأثر اتصالك. حاول مرة أخرى، وأبلغ عن المشكلة إذا تكررت.',
    retry: 'إعادة المحاولة',
  },
  desktop,
  errors,
}
