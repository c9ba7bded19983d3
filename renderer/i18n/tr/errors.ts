import type { ErrorTexts } from '../error-texts'

export const errors: ErrorTexts = {
  'internal/unexpected': {
    what: 'Causeway beklenmeyen bir durumla karşılaştı.',
    todo: 'Yeniden deneyin. Tekrarlanırsa aşağıdaki kodla bildirin.',
  },
  'app/ended-unexpectedly': {
    what: 'Causeway, bağlıyken veya bağlanırken beklenmedik biçimde kapandı.',
    todo: 'Yeniden bağlanın. Tekrarlanırsa Ayarlar bölümündeki “Destek için kopyala” raporunu kuruluşunuza gönderin.',
  },
  'usage/invalid-argument': {
    what: 'Causeway bu girdiyi kullanamıyor.',
    todo: 'Kontrol edip yeniden deneyin.',
  },
  'usage/unknown-instance': {
    what: 'Bu hizmet artık listenizde değil.',
    todo: 'Adresiyle yeniden ekleyin.',
  },
  'usage/instance-needed': {
    what: 'Hangi hizmetin kastedildiği belli değil.',
    todo: 'Listenizden birini seçin veya önce bir hizmet ekleyin.',
  },
  'usage/no-last-connection': {
    what: 'Causeway’in hatırladığı bir son bağlantı yok.',
    todo: 'Bir profil seçin.',
  },
  'usage/profile-needed': {
    what: 'Hangi profilin kastedildiği belli değil.',
    todo: 'Listeden birini seçin.',
  },

  'http/insecure-url': {
    what: 'Bu adres güvenli değil.',
    todo: 'Başında https olan bir adres kullanın.',
  },
  'http/unreachable': {
    what: 'Sunucuya ulaşılamadı.',
    todo: 'Ağınızı ve adresi kontrol edip yeniden deneyin.',
  },
  'http/tls-failed': {
    what: 'Sunucuyla güvenli bağlantı kurulamadı: sertifikası uymuyor.',
    todo: 'Adresi ve bu bilgisayarın saatini kontrol edin. Konuk ağındaysanız önce bir web sayfası açıp orada oturum açın.',
  },
  'http/timed-out': {
    what: 'Sunucu zamanında yanıt vermedi.',
    todo: 'Bir süre sonra veya başka bir ağdan yeniden deneyin.',
  },
  'http/too-large': {
    what: 'Sunucu istenenden çok daha fazlasını gönderdi, bu yüzden Causeway okumayı bıraktı.',
    todo: 'Adresi kontrol edin. Doğruysa hizmeti yönetenlere bildirin.',
  },
  'http/private-address': {
    what: 'Hizmet, genel internette olmayan bir adres verdi, bu yüzden Causeway bu adrese bağlanmadı.',
    todo: 'Hizmeti yönetenlere bildirin.',
  },
  'http/cancelled': {
    what: 'İstek iptal edildi.',
    todo: 'Devam etmek istediğinizde yeniden başlatın.',
  },

  'discovery/invalid-address': {
    what: 'Bu, bir hizmetin adresi değil.',
    todo: 'Size verildiği gibi yazın, örneğin vpn.example.org.',
  },
  'discovery/insecure-address': {
    what: 'Bu adres http:// ile başlıyor, yani yol üzerindeki herkes verileri okuyabilir.',
    todo: 'Bunun yerine https:// ile başlayan adresi kullanın.',
  },
  'discovery/not-found': {
    what: 'Bu adreste bir VPN hizmeti yok.',
    todo: 'Adresi kuruluşunuza sorun.',
  },
  'discovery/not-json': {
    what: 'Bu adres yanıt veriyor ama bir VPN hizmeti gibi değil.',
    todo: 'Adresi kontrol edin. Konuk ağındaysanız önce bir web sayfası açıp orada oturum açın.',
  },
  'discovery/no-vpn-api': {
    what: 'Bu adresteki hizmet, Causeway’in anladığı bir sürümü desteklemiyor.',
    todo: 'Hizmetine hangi uygulamanın uyduğunu kuruluşunuza sorun.',
  },
  'discovery/unsupported-version': {
    what: 'Bu hizmet, VPN API’sinin yalnızca bu Causeway sürümünün henüz desteklemediği bir sürümünü sunuyor.',
    todo: 'Causeway’in daha yeni bir sürümü olup olmadığına bakın veya hizmetine hangi uygulamanın uyduğunu kuruluşunuza sorun.',
  },
  'discovery/invalid-document': {
    what: 'Hizmet kendini Causeway’in kullanamayacağı bir biçimde tanımlıyor.',
    todo: 'Hizmeti yönetenlere bildirin.',
  },
  'discovery/too-many-redirects': {
    what: 'Adres durmadan bir yerden ötekine yönlendiriyor.',
    todo: 'Adresi kontrol edin veya hizmeti yönetenlere bildirin.',
  },
  'discovery/insecure-redirect': {
    what: 'Adres güvenli olmayan bir yere yönlendiriyor, bu yüzden Causeway oraya gitmedi.',
    todo: 'Adresi kontrol edin veya hizmeti yönetenlere bildirin.',
  },
  'discovery/invalid-redirect': {
    what: 'Adres var olmayan bir yere yönlendiriyor.',
    todo: 'Adresi kontrol edin veya hizmeti yönetenlere bildirin.',
  },
  'discovery/server-error': {
    what: 'Hizmette şu anda bir arıza var.',
    todo: 'Bir süre sonra yeniden deneyin.',
  },

  'oauth/login-required': {
    what: 'Oturumunuz sona erdi.',
    todo: 'Devam etmek için yeniden oturum açın.',
  },
  'oauth/access-denied': {
    what: 'Tarayıcıda erişim reddedildi.',
    todo: 'Yeniden oturum açın ve orada Causeway’e izin verin.',
  },
  'oauth/client-refused': {
    what: 'Bu hizmet Causeway’i tanımıyor, bu yüzden henüz kimse onunla oturum açamıyor.',
    todo: 'Hizmetin yöneticilerinden Causeway’i kaydetmelerini isteyin veya size verdikleri istemci kimliğini girin.',
  },
  'oauth/authorization-failed': {
    what: 'Hizmet oturum açmanıza izin vermedi.',
    todo: 'Yeniden deneyin. Tekrarlanırsa hizmeti yönetenlere bildirin.',
  },
  'oauth/cancelled': {
    what: 'Oturum açma iptal edildi.',
    todo: 'Devam etmek istediğinizde yeniden oturum açın.',
  },
  'oauth/timed-out': {
    what: 'Causeway tarayıcıyı bekledi ama yanıt gelmedi.',
    todo: 'Yeniden oturum açın. Tarayıcı bir hata gösteriyorsa hizmeti yönetenlere bildirin.',
  },
  'oauth/issuer-mismatch': {
    what: 'Tarayıcıdaki yanıt, sorulan hizmetten değil başka bir hizmetten geldi, bu yüzden Causeway onu kullanmadı.',
    todo: 'Yeniden oturum açın. Tekrarlanırsa hizmeti yönetenlere bildirin.',
  },
  'oauth/invalid-callback': {
    what: 'Tarayıcı, Causeway’in gerek duyduğu bilgiler olmadan döndü.',
    todo: 'Yeniden oturum açın.',
  },
  'oauth/code-refused': {
    what: 'Hizmet, az önce verdiği onayı geri aldı.',
    todo: 'Yeniden oturum açın.',
  },
  'oauth/invalid-token-response': {
    what: 'Hizmet, oturum açma isteğini Causeway’in kullanamayacağı bir biçimde yanıtladı.',
    todo: 'Hizmeti yönetenlere bildirin.',
  },
  'oauth/server-error': {
    what: 'Hizmetin oturum açma sisteminde şu anda bir arıza var.',
    todo: 'Bir süre sonra yeniden deneyin. Oturumunuz açık kalır.',
  },
  'oauth/browser-not-opened': {
    what: 'Tarayıcınız açılmadı.',
    todo: 'Sisteminizde varsayılan bir tarayıcı ayarlayıp yeniden deneyin.',
  },

  'vpn-api/refused': {
    what: 'Hizmet isteği reddetti.',
    todo: 'Yeniden deneyin. Tekrarlanırsa hizmeti yönetenlere bildirin.',
  },
  'vpn-api/profile-unavailable': {
    what: 'Bu profil artık yok veya size ayrılmamış.',
    todo: 'Başka bir profil seçin veya kuruluşunuzdan bu profili isteyin.',
  },
  'vpn-api/server-error': {
    what: 'Hizmette şu anda bir arıza var.',
    todo: 'Bir süre sonra yeniden deneyin.',
  },
  'vpn-api/invalid-response': {
    what: 'Hizmet, Causeway’in kullanamayacağı bir biçimde yanıt verdi.',
    todo: 'Hizmeti yönetenlere bildirin.',
  },

  'certificate/none': {
    what: 'Bu bilgisayarda bu hizmetin sertifikası henüz yok.',
    todo: 'Bir kez bağlanın, Causeway bir sertifika alır.',
  },
  'certificate/invalid': {
    what: 'Hizmetin size verdiği sertifika çalışmıyor.',
    todo: 'Yeniden deneyin. Tekrarlanırsa hizmeti yönetenlere bildirin.',
  },
  'certificate/clock-mismatch': {
    what: 'Bu bilgisayarın saatine göre sertifikanız henüz geçerli değil: saatler uyuşmuyor.',
    todo: 'Bu bilgisayarın saatini ve saat dilimini ayarlayıp yeniden bağlanın.',
  },
  'certificate/refused': {
    what: 'Hizmet sertifikanızı kabul etmiyor ve başka bir sertifika da vermiyor.',
    todo: 'Hesabınızın hâlâ etkin olup olmadığını kuruluşunuza sorun.',
  },

  'secret-store/unavailable': {
    what: 'Bu bilgisayarda oturumunuzun saklanabileceği bir anahtar deposu yok.',
    todo: 'GNOME Keyring veya KWallet gibi bir anahtar deposu kurup Causeway’i yeniden başlatın.',
  },
  'secret-store/locked': {
    what: 'Bu bilgisayarın anahtar deposu kilitli.',
    todo: 'Kilidini açıp yeniden deneyin.',
  },
  'secret-store/in-file': {
    what: 'Oturumlarınız bir anahtar deposunda değil, bir dosyada saklanıyor. Dosyalarınızı okuyabilen herkes onları kullanabilir.',
    todo: 'Bu bilgisayarda bir anahtar deposu olur olmaz Causeway’i secret-store seçeneği olmadan başlatın.',
  },
  'secret-store/failed': {
    what: 'Bu bilgisayarın anahtar deposu isteneni yapmadı.',
    todo: 'Yeniden deneyin. Tekrarlanırsa bilgisayarınızda oturumu kapatıp yeniden açın.',
  },

  'profile-configuration/malformed': {
    what: 'Profil bozuk veya eksik, bu yüzden Causeway onu kullanmıyor.',
    todo: 'Hizmeti yönetenlere bildirin.',
  },
  'profile-configuration/forbidden-directive': {
    what: 'Profil bu bilgisayara zarar verebilecek bir şey istiyor, bu yüzden Causeway onu kullanmıyor.',
    todo: 'Hizmeti yönetenlere bildirin.',
  },
  'profile-configuration/invalid-argument': {
    what: 'Profilde Causeway’in iletmediği bir değer var.',
    todo: 'Hizmeti yönetenlere bildirin.',
  },
  'profile-configuration/incomplete': {
    what: 'Profilde bir tünel için gereken bir şey eksik.',
    todo: 'Hizmeti yönetenlere bildirin.',
  },
  'profile-configuration/no-tcp-remote': {
    what: 'Yalnızca TCP seçili ve bu profilin TCP sunucusu yok.',
    todo: '“Yalnızca TCP kullan” ayarını kapatın veya başka bir profil seçin.',
  },

  'openvpn/not-found': {
    what: 'Bu bilgisayarda OpenVPN bulunamadı.',
    todo: 'OpenVPN 2.5 veya daha yenisini yükleyin ya da Causeway’in onu aradığı yolu düzeltin, sonra yeniden bağlanın.',
  },
  'openvpn/too-old': {
    what: 'Bu bilgisayardaki OpenVPN çok eski.',
    todo: 'Güncelleyip yeniden bağlanın.',
  },
  'openvpn/not-permitted': {
    what: 'Causeway’in bu bilgisayarda tünel kurma izni yok.',
    todo: 'Sisteminiz sorduğunda izin verin veya bu bilgisayarla ilgilenen kişiye danışın.',
  },
  'openvpn/certificate-rejected': {
    what: 'Sunucu sertifikanızı ve yenisini de reddetti.',
    todo: 'Oturumu kapatıp yeniden açın. Tekrarlanırsa kuruluşunuza danışın.',
  },
  'openvpn/authentication-failed': {
    what: 'Sunucu girişinize izin vermedi.',
    todo: 'Bu profili kullanıp kullanamayacağınızı kuruluşunuza sorun.',
  },
  'openvpn/server-not-verified': {
    what: 'Sunucu doğru sunucu olduğunu gösteremedi, bu yüzden Causeway durdu.',
    todo: 'Başka bir ağ deneyin. Tekrarlanırsa hizmeti yönetenlere bildirin.',
  },
  'openvpn/unreachable': {
    what: 'Bu profilin hiçbir sunucusu yanıt vermedi.',
    todo: 'Ağınızı kontrol edin. Bazı ağlar VPN’leri engeller: başka birini deneyin.',
  },
  'openvpn/name-not-resolved': {
    what: 'VPN sunucusunun adı çözümlenemedi.',
    todo: 'Ağınızı kontrol edip yeniden deneyin.',
  },
  'openvpn/halted-by-server': {
    what: 'Sunucu tüneli kapattı.',
    todo: 'Hizmetin duyurularını okuyun ve daha sonra yeniden bağlanın.',
  },
  'openvpn/configuration-refused': {
    what: 'OpenVPN bu profille çalışamıyor.',
    todo: 'Hizmeti yönetenlere bildirin.',
  },
  'openvpn/timed-out': {
    what: 'Tünel zamanında kurulamadı.',
    todo: 'Yeniden deneyin veya başka bir ağ deneyin.',
  },
  'network/captive-portal': {
    what: 'Bu ağ, internete çıkmadan önce oturum açmanızı istiyor.',
    todo: 'Tarayıcınızda bir web sayfası açın, oturum açın, sonra yeniden bağlanın.',
  },
  'connection/lost': {
    what: 'Tünel koptu ve yeniden bağlanma kapalı.',
    todo: 'Yeniden bağlanın veya ayarlarda yeniden bağlanmayı açın.',
  },
  'openvpn/stopped-unexpectedly': {
    what: 'OpenVPN kendiliğinden durdu.',
    todo: 'Yeniden bağlanın. Tekrarlanırsa aşağıdaki kodla bildirin.',
  },

  'helper/not-installed': {
    what: 'Causeway’in yardımcı programı yüklü değil ve o olmadan Causeway bir ağ aygıtı kuramaz.',
    todo: '“causeway helper install” komutuyla yükleyin.',
  },
  'helper/dismissed': {
    what: 'Causeway’in bağlantı kurup kuramayacağı sorusu yanıtlanmadan kapatıldı.',
    todo: 'Yeniden bağlanın ve soruyu yanıtlayın.',
  },
  'helper/not-authorized': {
    what: 'Bu bilgisayar bağlantı kurmanıza izin vermiyor.',
    todo: 'Yöneticisine danışın veya sizden parola istenebilecek masaüstü oturumundan bağlanın.',
  },
  'helper/refused': {
    what: 'Causeway’in yardımcı programı bu bağlantının yapılandırmasını reddetti.',
    todo: 'Bu hizmetin yöneticisinden profili düzeltmesini isteyin veya bu sürümün yardımcı programını yeniden yükleyin.',
  },
  'helper/failed': {
    what: 'Causeway’in yardımcı programı işini yapamadı.',
    todo: '“causeway doctor” komutunu çalıştırın.',
  },
  'helper/needed-for-kill-switch': {
    what: 'Kill switch için Causeway’in yardımcı programı gerekiyor ve bu program yüklü değil.',
    todo: 'Şu komutla yükleyin: causeway helper install. Ya da Ayarlar bölümünde kill switch özelliğini kapatın.',
  },
  'helper/kill-switch-failed': {
    what: 'Kill switch kurulamadı, bu yüzden Causeway bağlanmadı.',
    todo: 'Bilgisayara nftables yükleyin veya Ayarlar bölümünde kill switch özelliğini kapatın.',
  },
  'helper/traffic-blocked': {
    what: 'Kill switch tüm trafiği engellemeyi sürdürüyor.',
    todo: '“causeway connect --release” komutuyla engeli kaldırıp yeniden bağlanın.',
  },
  'helper/dns-not-set': {
    what: 'Bu VPN’in DNS sunucuları ayarlanamadı, bu yüzden adlar hâlâ onun dışında çözümleniyor.',
    todo: 'Önce systemd-resolved veya resolvconf yükleyin, sonra yeniden bağlanın.',
  },
  'helper/repaired': {
    what: 'Önceki bir bağlantı ardını temizlemeden sona ermişti.',
    todo: 'Geride kalanlar artık temizlendi. Bir şey yapmanız gerekmiyor.',
  },
  'helper/service-missing': {
    what: 'OpenVPN hizmeti bu bilgisayarda çalışmıyor ve o olmadan Causeway bağlantı kuramaz.',
    todo: 'OpenVPN’i hizmetiyle birlikte yükleyin veya “OpenVPN Interactive Service” adlı Windows hizmetini başlatın.',
  },
  'helper/service-refused': {
    what: 'Bu bilgisayarın OpenVPN hizmeti sizin için bağlantı başlatmıyor.',
    todo: 'Bir yöneticiden hesabınızı “OpenVPN Administrators” grubuna eklemesini isteyin, sonra Windows’ta yeniden oturum açın.',
  },
  'helper/powershell-refused': {
    what: 'Windows, Causeway’in PowerShell çalıştırmasına izin vermiyor; Causeway kapanırsa bağlantıyı PowerShell sona erdirir.',
    todo: 'Bu bilgisayarın yöneticisinden sizin için PowerShell’e izin vermesini isteyin.',
  },
  'helper/kill-switch-not-offered': {
    what: 'Bu sistemde henüz kill switch yok.',
    todo: 'Ayarlar bölümünde kill switch özelliğini kapatıp yeniden bağlanın.',
  },

  'attachments/refused': {
    what: 'Ek hizmeti isteği reddetti.',
    todo: 'Onu kullanıp kullanamayacağınızı kuruluşunuza sorun.',
  },
  'attachments/unavailable': {
    what: 'Ek hizmeti şu anda yanıt veremiyor.',
    todo: 'Biraz bekleyip yeniden deneyin.',
  },
  'attachments/unreadable': {
    what: 'Bazı ekler okunamadığı için gösterilmiyor.',
    todo: 'Hizmeti yönetenlere bildirin.',
  },
  'attachments/not-offered': {
    what: 'Bu hizmet ek sunmuyor.',
    todo: 'Başka bir hizmet seçin veya yönetenlerinden eklerin adresini isteyip Ayarlar bölümüne girin.',
  },
  'attachments/invalid-response': {
    what: 'Ek hizmeti, Causeway’in kullanamayacağı bir biçimde yanıt verdi.',
    todo: 'Hizmeti yönetenlere bildirin.',
  },
  'attachments/invalid-request': {
    what: 'İstek tam olmadığı için ek hizmetine gönderilmedi.',
    todo: 'Girdiğiniz bilgileri kontrol edin.',
  },
  'attachments/forbidden': {
    what: 'Ek hizmeti bunu yapmanıza izin vermiyor.',
    todo: 'Bu hizmetteki kimliğinizi Ayarlar bölümünde kontrol edin veya kuruluşunuzdan gereken rolü isteyin.',
  },
  'attachments/not-found': {
    what: 'Bu ek yok veya dosyası henüz ulaşmadı.',
    todo: 'Listeyi yenileyin veya yüklemesi tamamlanana kadar bekleyin.',
  },
  'attachments/not-a-file': {
    what: 'Bu ek bir dosya değil, bir bağlantı.',
    todo: 'Bağlantıyı açın.',
  },
  'attachments/extension-needed': {
    what: 'Bu dosyanın adında .pdf gibi bir uzantı yok ve hizmet uzantı istiyor.',
    todo: 'Dosyaya uzantısı olan bir ad verin.',
  },
  'attachments/file-unreadable': {
    what: 'Bu dosya okunamıyor.',
    todo: 'Var olduğunu, bir dosya olduğunu ve okuma izniniz bulunduğunu kontrol edin.',
  },
  'attachments/file-changed': {
    what: 'Dosya yüklenirken değişti.',
    todo: 'Dosyaya artık bir şey yazılmayana kadar bekleyip yeniden yükleyin.',
  },
  'attachments/file-exists': {
    what: 'Bu adda bir dosya zaten var.',
    todo: 'Başka bir ad seçin veya değiştirilmesine izin verin.',
  },
  'attachments/file-unwritable': {
    what: 'Dosya oraya kaydedilemiyor.',
    todo: 'Diskte yer olduğunu ve klasöre yazma izniniz bulunduğunu kontrol edin.',
  },
  'attachments/file-missing': {
    what: 'Hizmette bu ekin dosyası artık yok.',
    todo: 'Yazarından yeniden yüklemesini isteyin.',
  },
  'attachments/storage-refused': {
    what: 'Ek hizmetinin depolama alanı dosyayı reddetti.',
    todo: 'Daha sonra yeniden deneyin veya hizmeti yönetenlere bildirin.',
  },
  'attachments/not-opened': {
    what: 'Dosya açılamadı.',
    todo: 'Klasöründen, seçtiğiniz bir programla açın.',
  },
  'attachments/unsafe-link': {
    what: 'Causeway bu tür bağlantıları açmaz.',
    todo: 'Yazarından https:// ile başlayan bir adres isteyin.',
  },

  'content/not-offered': {
    what: 'Bu hizmet haber sunmuyor.',
    todo: 'Başka bir hizmet seçin veya yönetenlerinden haberlerin adresini isteyip Ayarlar bölümüne girin.',
  },

  'organizations/not-offered': {
    what: 'Bu hizmet kuruluş sunmuyor.',
    todo: 'Başka bir hizmet seçin veya yönetenlerinden kuruluşların adresini isteyip Ayarlar bölümüne girin.',
  },
  'organizations/invalid-request': {
    what: 'Bu bilgiler kuruluş hizmetine bu hâliyle gönderilemez.',
    todo: 'Yazdıklarınızı kontrol edin: bir şey eksik, çok uzun veya geçersiz karakter içeriyor.',
  },
  'organizations/unauthorized': {
    what: 'Kuruluş hizmeti kim olduğunuzu bilmek istiyor.',
    todo: 'Bu hizmet için belirtecinizi veya kullanıcı adınızı ve parolanızı girin.',
  },
  'organizations/forbidden': {
    what: 'Bu kuruluşa bakabilirsiniz ama değiştiremezsiniz.',
    todo: 'Bunu yöneticilerinden birinden isteyin veya sizi yönetici yapmasını rica edin.',
  },
  'organizations/not-found': {
    what: 'Böyle bir kuruluş yok veya artık yok.',
    todo: 'Numarasını veya adını kontrol edin ya da başka bir kuruluşa bakın.',
  },
  'organizations/user-not-found': {
    what: 'Böyle bir kullanıcı yok veya artık yok.',
    todo: 'Yazımı kontrol edip listeyi yenileyin.',
  },
  'organizations/name-taken': {
    what: 'Bu adı başka bir kuruluş kullanıyor.',
    todo: 'Başka bir ad seçin.',
  },
  'organizations/already-member': {
    what: 'Bu kullanıcı zaten üye.',
    todo: 'Rolünü değiştirmek için onu listede bulun.',
  },
  'organizations/last-administrator': {
    what: 'Bir kuruluşun yöneticisi olmalıdır ve bu sonuncusu.',
    todo: 'Önce başka birini yönetici yapın.',
  },
  'organizations/refused': {
    what: 'Kuruluş hizmeti bunu yapmadı.',
    todo: 'Daha sonra yeniden deneyin veya hizmeti yönetenlere danışın.',
  },
  'organizations/invalid-response': {
    what: 'Kuruluş hizmeti, Causeway’in kullanamayacağı bir biçimde yanıt verdi.',
    todo: 'Hizmeti yönetenlere bildirin. Bir şey değiştirdiyseniz yapılıp yapılmadığını görmek için yenileyin.',
  },

  'content/invalid-request': {
    what: 'Haber hizmeti bu girdiyi kabul etmiyor.',
    todo: 'Kontrol edip yeniden deneyin.',
  },
  'content/refused': {
    what: 'Haber hizmeti isteği reddetti.',
    todo: 'Onu kullanıp kullanamayacağınızı kuruluşunuza sorun.',
  },
  'content/not-found': {
    what: 'Haber hizmetinde orada bir şey yok veya artık yok.',
    todo: 'Listeye dönüp yenileyin veya adresi kontrol edin.',
  },
  'content/unavailable': {
    what: 'Haber hizmeti şu anda yanıt veremiyor.',
    todo: 'Biraz bekleyip yeniden deneyin.',
  },
  'content/invalid-response': {
    what: 'Haber hizmeti, Causeway’in kullanamayacağı bir biçimde yanıt verdi.',
    todo: 'Daha sonra yeniden deneyin. Düzelmezse hizmeti yönetenlere bildirin.',
  },

  'settings/unknown': {
    what: 'Böyle bir ayar yok.',
    todo: 'Gösterilenlerden birini seçin.',
  },
  'settings/invalid-value': {
    what: 'Bu ayar bu değeri kabul etmiyor.',
    todo: 'Başka bir değer seçin.',
  },
  'start-at-login/window-only': {
    what: 'Terminal komutu bunu burada açamaz.',
    todo: 'Pencerenin ayarlarından açın.',
  },
  'start-at-login/refused': {
    what: 'Sistem bunu kabul etmedi.',
    todo: 'Sisteminizin ayarlarında, oturum açılınca başlayan uygulamalar arasında Causeway’i bulup izin verin.',
  },
  'data/damaged': {
    what: 'Causeway’in bir dosyası bozuktu ve Causeway onsuz devam etti.',
    todo: 'Dosya kenara alındı ve içinden hiçbir şey silinmedi. Ayarlarınızı ve hizmet listenizi kontrol edin.',
  },
  'data/unreadable': {
    what: 'Causeway’in bir dosyası okunamadı.',
    todo: 'Aşağıda adı geçen dosyayı okuma izniniz olduğunu kontrol edin.',
  },
  'data/unwritable': {
    what: 'Causeway değişikliğinizi kaydedemedi.',
    todo: 'Diskte yer olduğunu ve aşağıda adı geçen dosyaya yazma izniniz bulunduğunu kontrol edin.',
  },
  'data/busy': {
    what: 'Başka bir Causeway aynı dosyayı çok uzun süredir kullanıyor.',
    todo: 'Biraz bekleyin veya diğerini kapatın, sonra yeniden deneyin.',
  },

  'connection/held-by-other': {
    what: 'Tünel, terminal komutu gibi başka bir Causeway’inizde.',
    todo: 'Önce orada bağlantıyı kesin veya burada kesin.',
  },

  'session/ends-soon': {
    what: 'Oturumunuz yakında sona erecek.',
    todo: 'Ondan önce Bağlantı bölümünde yenileyin. Tarayıcınızda Causeway’e bir kez daha izin verirsiniz.',
  },
  'session/over': {
    what: 'Oturumunuz sona erdi.',
    todo: 'Yenileyin: tarayıcınızda Causeway’e izin verdiğinizde yeniden bağlanırsınız.',
  },
  'clock/wrong': {
    what: 'Bu bilgisayarın saati yanlış, bu yüzden sertifikanız burada geçerli sayılmıyor.',
    todo: 'Saati ve saat dilimini sisteminizin ayarlarında, tercihen otomatik olarak ayarlayıp yeniden bağlanın.',
  },
}
