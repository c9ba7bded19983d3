import type { Translation } from '../translation'
import { attachments } from './attachments'
import { connection } from './connection'
import { desktop } from './desktop'
import { doctor } from './doctor'
import { errors } from './errors'
import { news } from './news'
import { organization } from './organization'
import { settings } from './settings'

export const texts: Translation = {
  navigation: {
    label: 'Bölümler',
    skip: 'İçeriğe geç',
    connection: 'Bağlantı',
    messages: 'Duyurular',
    attachments: 'Ekler',
    news: 'Haberler',
    organization: 'Kuruluş',
    settings: 'Ayarlar',
    doctor: 'Tanılama',
  },
  connection,
  instance: {
    choose: 'Hizmet',
    welcomeTitle: 'VPN hizmetinizi ekleyin',
    welcomeText: 'Adresini kuruluşunuzdan alırsınız. Ekledikten sonra profilleriniz burada görünür.',
    welcomeWhat: 'Causeway bu bilgisayarı kuruluşunuzun VPN’ine bağlar.',
    nextTitle: 'Sonra ne olur',
    nextBrowser: '“Oturum aç” düğmesine basın. Tarayıcınız açılır: orada oturum açıp Causeway’e izin verin.',
    nextProfiles: 'Profilleriniz burada görünür. Birinin yanındaki “Bağlan” düğmesine basın.',
    address: 'Adres',
    addressHint: 'Örneğin vpn.example.org',
    add: 'Hizmet ekle',
    addAnother: 'Başka bir hizmet ekle',
    notNow: 'Şimdi değil',
    signedIn: 'Oturum açık',
    signedOut: 'Oturum açılmadı',
    waiting: 'Tarayıcınız bekleniyor. Orada Causeway’e izin verip buraya dönün.',
    openAgain: 'Tarayıcıyı yeniden aç',
    copyLink: 'Bağlantıyı kopyala',
    timeLeft: 'Kalan süre: {{time}}',
    useClientId: 'Kaydet ve oturum aç',
    logInHint: 'Bunun için tarayıcınız açılır. Ardından profilleriniz burada görünür.',
    loggedOut:
      'Buradaki oturumunuz kapatıldı. Hizmet, Causeway’i hâlâ izin verilmiş uygulama olarak listeliyor. İzni kaldırmak için {{address}} adresindeki hesap sayfanızı açın.',
    logIn: 'Oturum aç',
    cancel: 'İptal',
    logOut: 'Oturumu kapat',
    refresh: 'Yenile',
    retry: 'Yeniden dene',
    profilesOf: '{{instance}} profilleri',
    loading: 'Profilleriniz alınıyor…',
    noProfiles: 'Burada size ait bir profil yok. Kuruluşunuzdan bir profil isteyin.',
    findProfile: 'Profil bul',
    noProfileFound: 'Bu adda bir profil yok.',
    profileInUse: 'Kullanımda',
    profileLast: 'Son kullanılan',
    profileAllTraffic: 'Tüm trafiğiniz buradan geçer',
    profileSomeTraffic: 'Yalnızca kendi ağına giden trafik buradan geçer',
  },
  messages: {
    title: 'Duyurular',
    from: '{{instance}} duyurusu',
    unread: 'Okunmadı',
    unreadCount_one: '{{count, number}} okunmamış duyuru',
    unreadCount_other: '{{count, number}} okunmamış duyuru',
    refresh: 'Yenile',
    loading: 'Duyurularınız alınıyor…',
    noneTitle: 'Duyuru yok',
    noneText: 'Bir hizmetin size bildireceği bir şey olduğunda, örneğin planlı bir bakım, burada okursunuz.',
    noInstance: 'Önce Bağlantı bölümünde VPN hizmetinizi ekleyin. Duyuruları burada görünür.',
    signedOut: 'Duyurularını okumak için Bağlantı bölümünde {{instance}} hizmetinde oturum açın.',
  },
  attachments,
  news,
  organization,
  settings,
  doctor,
  offline: {
    asOf: '{{time}} itibarıyla: {{instance}} hizmetine şu anda ulaşılamıyor.',
  },
  notices: {
    title: 'Devam etmeden önce',
    dismiss: 'Anladım',
  },
  error: {
    code: 'Kod: {{code}}',
    serverSays: 'Sunucunun yanıtı: {{text}}',
    directive: 'Yönerge: {{directive}}',
    endsAt: '{{instance}} oturumu {{time}} itibarıyla sona erecek.',
    endedAt: '{{instance}} oturumu {{time}} itibarıyla sona erdi.',
    versions: 'Sunulan API sürümü: {{versions}}',
    issuer:
      'Sertifikayı veren “{{issuer}}”, bu bilgisayarın güvenmediği bir sertifika yetkilisi. Bu yetkili kuruluşunuza aitse sertifikasının bu bilgisayarın sertifika deposuna eklenmesini isteyin.',
    clientId: 'Kullanılan istemci kimliği: {{clientId}}',
    clockAhead: 'Bu bilgisayarın saati, {{instance}} saatine göre {{by}} ileri.',
    clockBehind: 'Bu bilgisayarın saati, {{instance}} saatine göre {{by}} geri.',
    busy: 'Hizmet şu anda yoğun.',
    tryAgain: '{{when}} yeniden deneyin.',
    credentials: {
      tokenRefused: {
        what: 'Kuruluş hizmeti belirteci kabul etmedi.',
        todo: 'Eksiksiz olduğunu ve süresinin dolmadığını denetleyin veya hizmeti yönetenlerden başka bir belirteç isteyin.',
      },
      passwordRefused: {
        what: 'Kuruluş hizmeti kullanıcı adını ve parolayı kabul etmedi.',
        todo: 'Yazımlarını denetleyip yeniden girin.',
      },
      passwordWanted: {
        what: 'Kuruluş hizmeti burada belirteç değil, kullanıcı adı ve parola istiyor.',
        todo: 'Bu hizmet için kullanıcı adınızı ve parolanızı girin.',
      },
      tokenWanted: {
        what: 'Kuruluş hizmeti burada kullanıcı adı ve parola değil, belirteç istiyor.',
        todo: 'Bu hizmet için belirtecinizi girin.',
      },
    },
    file: 'Dosya: {{path}}',
    boundaryTitle: 'Bu bölüm gösterilemiyor',
    boundaryText: 'Bağlantınız bundan etkilenmez. Yeniden deneyin, tekrarlanırsa bildirin.',
    retry: 'Yeniden dene',
  },
  desktop,
  errors,
}
