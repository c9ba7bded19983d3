import type { Translation } from '../translation'

/** The view of the doctor, in Turkish: what Causeway needs of this computer. */
export const doctor: Translation['doctor'] = {
  title: 'Tanılama',
  text: 'Causeway’in bu bilgisayarda neye ihtiyaç duyduğu ve bir şey eksikse ne yapılacağı.',
  link: 'Bu bilgisayarı denetle',
  linkText: 'Causeway’in ihtiyaç duyduğu her şeyi denetler ve bir şey eksikse ne yapılacağını söyler.',
  checking: 'Denetleniyor…',
  again: 'Yeniden denetle',
  remedy: 'Terminalde:',
  summary: {
    ok: 'Causeway’in ihtiyaç duyduğu her şey var.',
    limited: 'Causeway burada çalışıyor ama tüm özellikleriyle değil.',
    missing: 'Causeway’in ihtiyaç duyduğu bir şey eksik.',
  },
  word: {
    ok: 'Sorun yok',
    limited: 'Kısıtlı',
    missing: 'Eksik',
  },
  name: {
    openvpn: 'OpenVPN',
    service: 'OpenVPN hizmeti',
    rights: 'İzinler',
    helper: 'Yardımcı program',
    'tun-device': 'Tünel aygıtı',
    'key-store': 'Anahtar deposu',
    dns: 'DNS sunucuları',
    'kill-switch': 'Kill switch',
  },
  what: {
    'openvpn-found': 'OpenVPN {{version}}, konumu {{path}}.',
    'openvpn-unusable': 'Kullanılabilecek bir OpenVPN yok.',
    'service-ready': 'OpenVPN hizmeti çalışıyor ve sizin için bağlantı başlatıyor.',
    'service-missing': 'OpenVPN hizmeti çalışmıyor, bu yüzden yönetici izinleri olmadan tünel kurulamaz.',
    'service-without-powershell':
      'OpenVPN hizmeti çalışıyor ama Windows, Causeway’in PowerShell çalıştırmasına izin vermiyor; Causeway kapanırsa bağlantıyı PowerShell sona erdirir.',
    'service-not-for-you':
      'OpenVPN hizmeti çalışıyor ama genellikle bağlantı başlattığı grupların hiçbirinde değilsiniz.',
    'rights-of-service': 'Ağ aygıtını ve yolları OpenVPN hizmeti kurar.',
    'rights-of-helper': 'Ağ aygıtını ve yolları yardımcı program kurar.',
    'rights-of-process': 'Causeway ağ aygıtını ve yolları kendisi kurabilir.',
    'rights-need-helper': 'Causeway’in ağ aygıtı kurma izni yok, bu yüzden henüz tünel kurulamaz.',
    'rights-need-service': 'Causeway’in ağ aygıtı kurma izni yok, bu yüzden henüz tünel kurulamaz.',
    'helper-ready': '{{path}} var ve kullanılabilir.',
    'helper-missing':
      'Yardımcı program yüklü değil: VPN’in DNS sunucuları, kill switch ve root olmadan tünel kullanılamaz.',
    'helper-missing-macos':
      'Yardımcı program yüklü değil: root olmadan tünel ve VPN’in DNS sunucuları kullanılamaz.',
    'helper-not-built': 'Yardımcı program yüklü değil ve Causeway’in bu kopyası onu içermiyor.',
    'helper-not-used':
      '{{path}} kullanılmıyor: root dışındaki kullanıcılar onu değiştirebilir ya da burada ne pkexec ne sudo var.',
    'tun-ready': '{{path}} açılabiliyor.',
    'tun-absent': '{{path}} yok.',
    'tun-denied': '{{path}} için açma izniniz yok.',
    'key-store-ready': 'Anahtar deposuna yazılabiliyor ve yazılan geri okunabiliyor.',
    'key-store-differs': 'Anahtar deposu, yazılandan başka bir şey döndürdü.',
    'key-store-unusable': 'Anahtar deposu kullanılamıyor.',
    'dns-ready': 'DNS sunucularını ayarlamak için {{program}} var.',
    'dns-missing': 'Burada ne resolvectl ne resolvconf var, bu yüzden VPN’in DNS sunucuları ayarlanamaz.',
    'nft-found': 'Kill switch için gereken nftables var.',
    'nft-missing': 'Kill switch için gereken nftables yok.',
  },
  todo: {
    'openvpn-unusable': 'OpenVPN 2.5 veya daha yenisini yükleyin ya da Ayarlar bölümünde yerini belirtin.',
    'service-missing':
      'OpenVPN’i hizmetiyle birlikte yükleyin veya “OpenVPN Interactive Service” adlı Windows hizmetini başlatın.',
    'service-without-powershell':
      'Bu bilgisayarın yöneticisinden sizin için PowerShell’e izin vermesini isteyin.',
    'service-not-for-you':
      'Bir yöneticiden hesabınızı “OpenVPN Administrators” grubuna eklemesini isteyin, sonra Windows’ta yeniden oturum açın.',
    'rights-need-helper': 'Yardımcı programı yükleyin.',
    'rights-need-service':
      'OpenVPN’i hizmetiyle birlikte yükleyin. Causeway’in yönetici olarak çalışması gerekmez.',
    'helper-missing': 'Yardımcı programı yükleyin.',
    'helper-missing-macos': 'Yardımcı programı yükleyin.',
    'helper-not-built': 'Go’yu yükleyin, ardından yardımcı programı derleyip yükleyin.',
    'helper-not-used': 'Önce pkexec (Debian’da pkexec ve polkitd), sonra yeniden yardımcı programı yükleyin.',
    'tun-absent': 'Aygıtın çekirdek modülünü yükleyin.',
    'tun-denied': 'Masaüstü ortamlarının yaptığı gibi, aygıtı herkesin açmasına izin verin.',
    'key-store-differs': 'Anahtar deposunun kilidini açın veya bilgisayarda oturumu kapatıp yeniden açın.',
    'key-store-unusable': 'Masaüstünüzün anahtar deposunun kilidini açın veya onu başlatın.',
    'dns-missing': 'Bunun için systemd-resolved veya resolvconf yükleyin.',
    'nft-missing': 'Bunun için nftables yükleyin.',
  },
}
