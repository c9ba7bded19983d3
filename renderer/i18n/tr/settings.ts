import type { Translation } from '../translation'
import { instanceSettings } from './instance-settings'

export const settings: Translation['settings'] = {
  title: 'Ayarlar',
  general: 'Genel',
  language: 'Dil',
  languageText: 'Causeway’in yazdığı her şeyin dili. Bir hizmetin metinleri, hizmette varsa bu dilde gelir.',
  languageSystem: 'Sistemdeki gibi',
  theme: 'Tema',
  themeText: 'Açık, koyu veya sisteminizdeki gibi.',
  themeSystem: 'Sistemdeki gibi',
  themeLight: 'Açık',
  themeDark: 'Koyu',
  connection: 'Bağlantı',
  reconnect: {
    label: 'Yeniden bağlanma',
    text: 'Kopan tüneli, başka bir ağda ve uykudan sonra da, kendiliğinden yeniden kurar.',
  },
  killSwitch: {
    label: 'Kill switch',
    text: 'Tünel kopukken tüm trafiği engeller, böylece hiçbir şey tünelin dışından gitmez. Bağlantıyı kestiğinizde veya “Trafiğe izin ver” düğmesine bastığınızda sona erer. Sonraki bağlantıdan itibaren geçerlidir.',
    missing: {
      'no-helper':
        'Causeway’in yardımcı programı gerekli: terminalde “causeway helper install” komutunu çalıştırın.',
      'no-nft': 'nftables gerekli ve bu bilgisayarda yüklü değil.',
      'not-on-this-system': 'Causeway bu sistemde bunu sunmuyor.',
    },
  },
  remoteStrategy: {
    label: 'Denenecek sunucular',
    text: 'Bir profildeki sunucuların hangi bağlantı noktaları denensin.',
    first: 'Her türün ilki',
    random: 'Her türden rastgele biri',
    all: 'Tümü',
  },
  preferTcp: {
    label: 'Yalnızca TCP kullan',
    text: 'UDP’ye izin vermeyen ağlar için. Daha yavaştır ve TCP sunucusu olmayan profillerde çalışmaz.',
  },
  autoConnect: {
    label: 'Causeway başladığında bağlan',
    text: 'Son kullandığınız profile döner. Önce oturum açmanız gerekiyorsa bunu bildirir.',
  },
  startAtLogin: {
    label: 'Bilgisayarda oturum açıldığında başlat',
    text: 'Causeway sistem tepsisinde, tepsi yoksa simge durumunda başlar.',
  },
  closeToTray: {
    label: 'Pencere kapatıldığında çalışmayı sürdür',
    text: 'Masaüstünüzde sistem tepsisi varsa Causeway, bağlantınızla birlikte orada kalır. Menüsündeki “Çık” komutu kapatır.',
  },
  notifications: {
    label: 'Bildirimler',
    text: 'Siz başka bir şeyle ilgilenirken olanları bildirir: bağlanma, kopma, sona eren oturum, yeni duyurular.',
  },
  openvpnPath: {
    label: 'OpenVPN',
    text: 'Tüneli kuran program.',
    detected: 'Otomatik algılanır',
    choose: 'Seç…',
    detect: 'Otomatik algıla',
  },
  instances: 'Hizmetler',
  noInstances: 'Henüz hizmet yok. Bağlantı bölümünde bir hizmet ekleyin.',
  remove: 'Kaldır',
  removeQuestion: '{{instance}} kaldırılsın mı? Oturumu ve anahtarı bu bilgisayardan silinir.',
  removeConfirm: '{{instance}} hizmetini kaldır',
  keep: 'Vazgeç',
  instance: instanceSettings,
  support: 'Destek',
  supportText:
    'Size yardım edenler için: sürümler, ayarlar, burada eksik olanlar ve günlüğün sonu. Parolalar, anahtarlar, ağ adresleri ve adınız çıkarılır.',
  supportCopy: 'Destek için kopyala',
  supportCopied: 'Kopyalandı. Onlara yazacağınız iletiye yapıştırın.',
}
