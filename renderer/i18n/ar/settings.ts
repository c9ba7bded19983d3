import type { Translation } from '../translation'
import { instanceSettings } from './instance-settings'

export const settings: Translation['settings'] = {
  title: 'الإعدادات',
  general: 'عام',
  language: 'اللغة',
  languageText: 'لغة كل ما يكتبه Causeway. تُعرض نصوص الخدمة بها إن كانت متوفرة لديها.',
  languageSystem: 'حسب النظام',
  theme: 'المظهر',
  themeText: 'فاتح أو داكن، أو كما في نظامك.',
  themeSystem: 'حسب النظام',
  themeLight: 'فاتح',
  themeDark: 'داكن',
  connection: 'الاتصال',
  reconnect: {
    label: 'إعادة الاتصال',
    text: 'يعيد إنشاء النفق تلقائيًا إذا انقطع، حتى بعد الانتقال إلى شبكة أخرى أو الخروج من وضع السكون.',
  },
  killSwitch: {
    label: 'مفتاح الإيقاف (Kill Switch)',
    text: 'يحظر كل حركة البيانات ما دام النفق منقطعًا، فلا يمر شيء خارجه. ينتهي الحظر عند قطع الاتصال أو الضغط على «السماح بحركة البيانات». يسري بدءًا من الاتصال التالي.',
    missing: {
      'no-helper': 'يحتاج إلى أداة Causeway المساعدة: شغّل «⁨causeway helper install⁩» في الطرفية.',
      'no-nft': 'يحتاج إلى nftables، وهو غير مثبّت على هذا الكمبيوتر.',
      'not-on-this-system': 'لا يوفره Causeway على هذا النظام.',
    },
  },
  remoteStrategy: {
    label: 'الخوادم التي تُجرَّب',
    text: 'أي خوادم ملف التعريف ومنافذه يجري التواصل معها.',
    first: 'أول منفذ من كل نوع',
    random: 'منفذ عشوائي من كل نوع',
    all: 'جميعها',
  },
  preferTcp: {
    label: 'استخدام TCP فقط',
    text: 'للشبكات التي لا تسمح بمرور UDP. يكون الاتصال أبطأ، ولا يعمل إذا لم يكن لملف التعريف خادم TCP.',
  },
  autoConnect: {
    label: 'الاتصال عند بدء Causeway',
    text: 'يعود إلى آخر ملف تعريف استخدمته، وينبهك إذا لزم تسجيل الدخول أولًا.',
  },
  startAtLogin: {
    label: 'البدء عند تسجيل الدخول إلى هذا الكمبيوتر',
    text: 'يبدأ Causeway في علبة النظام، أو مصغّرًا إذا لم تتوفر.',
  },
  closeToTray: {
    label: 'الاستمرار في العمل عند إغلاق النافذة',
    text: 'يبقى Causeway في علبة النظام مع اتصالك، إذا كانت متوفرة. ينهيه «إنهاء» في قائمته هناك.',
  },
  notifications: {
    label: 'الإشعارات',
    text: 'تخبرك بما يحدث وأنت منشغل بغير Causeway: الاتصال، وانقطاعه، وقرب انتهاء الجلسة، والرسائل الجديدة.',
  },
  openvpnPath: {
    label: 'OpenVPN',
    text: 'البرنامج الذي ينشئ النفق.',
    detected: 'يُكتشف تلقائيًا',
    choose: 'اختيار…',
    detect: 'الاكتشاف تلقائيًا',
  },
  instances: 'الخدمات',
  noInstances: 'لا توجد خدمات بعد. أضف واحدة في قسم «الاتصال».',
  remove: 'إزالة',
  removeQuestion: 'هل تريد إزالة ⁨{{instance}}⁩؟ تُحذف جلستها ومفتاحها من هذا الكمبيوتر.',
  removeConfirm: 'إزالة ⁨{{instance}}⁩',
  keep: 'إبقاء',
  instance: instanceSettings,
  support: 'الدعم',
  supportText:
    'لمن يساعدك: الإصدارات والإعدادات وما ينقص هنا ونهاية السجل. لا يتضمن كلمات المرور ولا المفاتيح ولا عناوين الشبكة ولا اسمك.',
  supportCopy: 'نسخ للدعم',
  supportCopied: 'تم النسخ. الصقه في رسالتك إليهم.',
}
