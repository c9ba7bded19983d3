import type { Translation } from '../translation'

/** The settings of one instance, in Turkish. */
export const instanceSettings: Translation['settings']['instance'] = {
  change: 'Ayarlar',
  changeOf: '{{instance}} ayarları',
  title: '{{instance}} ayarları',
  text: 'Hizmetin kendi bildirdiği değeri kullanmak için alanı boş bırakın.',
  loading: 'Ayarlar okunuyor',
  notOffered: 'Hizmet bunu bildirmiyor',
  notKnown: 'Hizmete şu anda ulaşılamıyor',
  clientId: 'İstemci kimliği',
  clientIdText: 'Causeway’in oturum açarken kullandığı ad. Değiştirdikten sonra yeniden oturum açın.',
  attachments: 'Eklerin adresi',
  content: 'Haberlerin adresi',
  organizations: 'Kuruluşların adresi',
  userId: 'Kullanıcı kimliğiniz',
  userIdText: 'Sizi kendiliğinden tanımayan ek hizmetleri için.',
  roles: 'Oradaki rolleriniz',
  role: {
    ADMINISTRATOR: 'Yönetici',
    CONTRIBUTOR: 'Katkıda bulunan',
    MEMBER: 'Üye',
  },
  save: 'Kaydet',
  cancel: 'İptal',
  saved: 'Kaydedildi.',
  invalid: {
    address: 'Bu kullanılamaz. https:// ile başlayan, kullanıcı adı, ? veya # içermeyen bir adres girin.',
    clientId: 'Bu kullanılamaz. Hizmette kayıtlı kimliği girin, örneğin org.example.app.',
    userId: 'Bu kullanılamaz. Boşluk içermeyen, en çok 255 harf, rakam ve işaret girin.',
  },
}
