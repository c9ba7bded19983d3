import type { ErrorTexts } from '../error-texts'

export const errors: ErrorTexts = {
  'internal/unexpected': {
    what: 'W Causeway wystąpiła nieprzewidziana sytuacja.',
    todo: 'Spróbuj ponownie. Jeśli to się powtórzy, zgłoś to, podając poniższy kod.',
  },
  'app/ended-unexpectedly': {
    what: 'Causeway niespodziewanie zakończył działanie podczas połączenia lub łączenia.',
    todo: 'Połącz się ponownie. Jeśli to się powtórzy, wyślij swojej organizacji raport z widoku Ustawienia, „Kopiuj dla pomocy”.',
  },
  'usage/invalid-argument': {
    what: 'Causeway nie może użyć tych danych.',
    todo: 'Sprawdź je i spróbuj ponownie.',
  },
  'usage/unknown-instance': {
    what: 'Tej usługi nie ma już na liście.',
    todo: 'Dodaj ją ponownie, podając jej adres.',
  },
  'usage/instance-needed': {
    what: 'Nie wiadomo, o którą usługę chodzi.',
    todo: 'Wybierz usługę z listy albo najpierw ją dodaj.',
  },
  'usage/no-last-connection': {
    what: 'Causeway nie pamięta żadnego ostatniego połączenia.',
    todo: 'Wybierz profil.',
  },
  'usage/profile-needed': {
    what: 'Nie wiadomo, o który profil chodzi.',
    todo: 'Wybierz profil z listy.',
  },

  'http/insecure-url': {
    what: 'Ten adres nie jest bezpieczny.',
    todo: 'Użyj adresu, który zaczyna się od https.',
  },
  'http/unreachable': {
    what: 'Nie udało się połączyć z serwerem.',
    todo: 'Sprawdź sieć i adres, a potem spróbuj ponownie.',
  },
  'http/tls-failed': {
    what: 'Nie udało się nawiązać bezpiecznego połączenia z serwerem: jego certyfikat się nie zgadza.',
    todo: 'Sprawdź adres i zegar tego komputera. W sieci dla gości najpierw otwórz dowolną stronę internetową i zaloguj się na niej.',
  },
  'http/timed-out': {
    what: 'Serwer nie odpowiedział na czas.',
    todo: 'Spróbuj ponownie za chwilę albo z innej sieci.',
  },
  'http/too-large': {
    what: 'Serwer wysłał znacznie więcej, niż oczekiwano, więc Causeway przerwał odczyt.',
    todo: 'Sprawdź adres. Jeśli jest poprawny, powiadom administratorów usługi.',
  },
  'http/private-address': {
    what: 'Usługa podała adres, który nie należy do publicznego internetu, więc Causeway się z nim nie połączył.',
    todo: 'Powiadom administratorów usługi.',
  },
  'http/cancelled': {
    what: 'Żądanie zostało anulowane.',
    todo: 'Rozpocznij je ponownie, gdy zechcesz kontynuować.',
  },

  'discovery/invalid-address': {
    what: 'To nie jest adres usługi.',
    todo: 'Wpisz go tak, jak został podany, na przykład vpn.example.org.',
  },
  'discovery/insecure-address': {
    what: 'Ten adres zaczyna się od http://, więc każdy po drodze mógłby podglądać dane.',
    todo: 'Użyj adresu, który zaczyna się od https://.',
  },
  'discovery/not-found': {
    what: 'Pod tym adresem nie ma usługi VPN.',
    todo: 'Sprawdź adres w swojej organizacji.',
  },
  'discovery/not-json': {
    what: 'Ten adres odpowiada, ale nie tak jak usługa VPN.',
    todo: 'Sprawdź adres. W sieci dla gości najpierw otwórz dowolną stronę internetową i zaloguj się na niej.',
  },
  'discovery/no-vpn-api': {
    what: 'Usługa pod tym adresem nie używa wersji, którą rozumie Causeway.',
    todo: 'Zapytaj swoją organizację, która aplikacja pasuje do jej usługi.',
  },
  'discovery/unsupported-version': {
    what: 'Ta usługa oferuje tylko wersję API VPN, której ta wersja Causeway jeszcze nie obsługuje.',
    todo: 'Sprawdź, czy jest nowsza wersja Causeway, albo zapytaj swoją organizację, która aplikacja pasuje do jej usługi.',
  },
  'discovery/invalid-document': {
    what: 'Usługa opisuje się w sposób, którego Causeway nie może użyć.',
    todo: 'Powiadom administratorów usługi.',
  },
  'discovery/too-many-redirects': {
    what: 'Adres bez końca przekierowuje z miejsca na miejsce.',
    todo: 'Sprawdź adres albo powiadom administratorów usługi.',
  },
  'discovery/insecure-redirect': {
    what: 'Adres prowadzi do miejsca, które nie jest bezpieczne, więc Causeway tam nie przeszedł.',
    todo: 'Sprawdź adres albo powiadom administratorów usługi.',
  },
  'discovery/invalid-redirect': {
    what: 'Adres prowadzi do miejsca, które nie istnieje.',
    todo: 'Sprawdź adres albo powiadom administratorów usługi.',
  },
  'discovery/server-error': {
    what: 'Po stronie usługi wystąpiła awaria.',
    todo: 'Spróbuj ponownie za jakiś czas.',
  },

  'oauth/login-required': {
    what: 'Sesja wygasła.',
    todo: 'Zaloguj się ponownie, aby kontynuować.',
  },
  'oauth/access-denied': {
    what: 'W przeglądarce odmówiono dostępu.',
    todo: 'Zaloguj się ponownie i zezwól tam aplikacji Causeway na dostęp.',
  },
  'oauth/client-refused': {
    what: 'Ta usługa nie zna Causeway, więc nikt nie może się jeszcze zalogować za jego pomocą.',
    todo: 'Poproś administratorów usługi o zarejestrowanie Causeway albo wpisz otrzymany od nich identyfikator klienta.',
  },
  'oauth/authorization-failed': {
    what: 'Usługa nie pozwoliła się zalogować.',
    todo: 'Spróbuj ponownie. Jeśli to się powtórzy, powiadom administratorów usługi.',
  },
  'oauth/cancelled': {
    what: 'Logowanie zostało anulowane.',
    todo: 'Zaloguj się ponownie, gdy zechcesz kontynuować.',
  },
  'oauth/timed-out': {
    what: 'Causeway nie doczekał się odpowiedzi z przeglądarki.',
    todo: 'Zaloguj się ponownie. Jeśli przeglądarka pokazuje błąd, powiadom administratorów usługi.',
  },
  'oauth/issuer-mismatch': {
    what: 'Odpowiedź w przeglądarce pochodziła od innej usługi niż ta, której dotyczyło logowanie, więc Causeway jej nie użył.',
    todo: 'Zaloguj się ponownie. Jeśli to się powtórzy, powiadom administratorów usługi.',
  },
  'oauth/invalid-callback': {
    what: 'Przeglądarka wróciła bez danych, których potrzebuje Causeway.',
    todo: 'Zaloguj się ponownie.',
  },
  'oauth/code-refused': {
    what: 'Usługa wycofała zgodę, której przed chwilą udzieliła.',
    todo: 'Zaloguj się ponownie.',
  },
  'oauth/invalid-token-response': {
    what: 'Usługa odpowiedziała na logowanie w sposób, którego Causeway nie może użyć.',
    todo: 'Powiadom administratorów usługi.',
  },
  'oauth/server-error': {
    what: 'System logowania usługi ma w tej chwili awarię.',
    todo: 'Spróbuj ponownie za jakiś czas. Nie nastąpi wylogowanie.',
  },
  'oauth/browser-not-opened': {
    what: 'Przeglądarka się nie otworzyła.',
    todo: 'Ustaw w systemie domyślną przeglądarkę, a potem spróbuj ponownie.',
  },

  'vpn-api/refused': {
    what: 'Usługa odrzuciła żądanie.',
    todo: 'Spróbuj ponownie. Jeśli to się powtórzy, powiadom administratorów usługi.',
  },
  'vpn-api/profile-unavailable': {
    what: 'Ten profil już nie istnieje albo nie jest przeznaczony dla ciebie.',
    todo: 'Wybierz inny profil albo poproś o niego swoją organizację.',
  },
  'vpn-api/server-error': {
    what: 'Po stronie usługi wystąpiła awaria.',
    todo: 'Spróbuj ponownie za jakiś czas.',
  },
  'vpn-api/invalid-response': {
    what: 'Usługa odpowiedziała w sposób, którego Causeway nie może użyć.',
    todo: 'Powiadom administratorów usługi.',
  },

  'certificate/none': {
    what: 'Na tym komputerze nie ma jeszcze certyfikatu tej usługi.',
    todo: 'Połącz się jeden raz, a Causeway go pobierze.',
  },
  'certificate/invalid': {
    what: 'Usługa wydała certyfikat, który nie działa.',
    todo: 'Spróbuj ponownie. Jeśli to się powtórzy, powiadom administratorów usługi.',
  },
  'certificate/clock-mismatch': {
    what: 'Według zegara tego komputera certyfikat nie jest jeszcze ważny: zegary się nie zgadzają.',
    todo: 'Ustaw zegar i strefę czasową tego komputera, a potem połącz się ponownie.',
  },
  'certificate/refused': {
    what: 'Usługa nie przyjmuje certyfikatu i nie wydaje innego.',
    todo: 'Zapytaj swoją organizację, czy twoje konto jest nadal aktywne.',
  },

  'secret-store/unavailable': {
    what: 'Na tym komputerze nie ma magazynu kluczy, w którym można by przechować sesję.',
    todo: 'Skonfiguruj magazyn kluczy, na przykład GNOME Keyring lub KWallet, a potem uruchom Causeway ponownie.',
  },
  'secret-store/locked': {
    what: 'Magazyn kluczy tego komputera jest zablokowany.',
    todo: 'Odblokuj go, a potem spróbuj ponownie.',
  },
  'secret-store/in-file': {
    what: 'Sesje są przechowywane w pliku, a nie w magazynie kluczy. Może ich użyć każdy, kto może czytać twoje pliki.',
    todo: 'Gdy na tym komputerze będzie magazyn kluczy, uruchom Causeway bez opcji secret-store.',
  },
  'secret-store/failed': {
    what: 'Magazyn kluczy tego komputera nie wykonał polecenia.',
    todo: 'Spróbuj ponownie. Jeśli to się powtórzy, wyloguj się z komputera i zaloguj ponownie.',
  },

  'profile-configuration/malformed': {
    what: 'Profil jest uszkodzony lub niepełny, więc Causeway go nie używa.',
    todo: 'Powiadom administratorów usługi.',
  },
  'profile-configuration/forbidden-directive': {
    what: 'Profil wymaga czegoś, co mogłoby zaszkodzić temu komputerowi, więc Causeway go nie używa.',
    todo: 'Powiadom administratorów usługi.',
  },
  'profile-configuration/invalid-argument': {
    what: 'Profil zawiera wartość, której Causeway nie przekazuje dalej.',
    todo: 'Powiadom administratorów usługi.',
  },
  'profile-configuration/incomplete': {
    what: 'W profilu brakuje czegoś, czego wymaga tunel.',
    todo: 'Powiadom administratorów usługi.',
  },
  'profile-configuration/no-tcp-remote': {
    what: 'Wybrano tylko TCP, a ten profil nie ma serwera TCP.',
    todo: 'Wyłącz ustawienie „Używaj tylko TCP” albo wybierz inny profil.',
  },

  'openvpn/not-found': {
    what: 'Na tym komputerze nie znaleziono OpenVPN.',
    todo: 'Zainstaluj OpenVPN 2.5 lub nowszy albo popraw ścieżkę, pod którą szuka go Causeway, a potem połącz się ponownie.',
  },
  'openvpn/too-old': {
    what: 'OpenVPN na tym komputerze jest zbyt stary.',
    todo: 'Zaktualizuj go, a potem połącz się ponownie.',
  },
  'openvpn/not-permitted': {
    what: 'Causeway nie ma uprawnień do zestawienia tunelu na tym komputerze.',
    todo: 'Zezwól na to, gdy system zapyta, albo poproś osobę, która opiekuje się tym komputerem.',
  },
  'openvpn/certificate-rejected': {
    what: 'Serwer odrzucił certyfikat, a nowy także.',
    todo: 'Wyloguj się i zaloguj ponownie. Jeśli to się powtórzy, zapytaj swoją organizację.',
  },
  'openvpn/authentication-failed': {
    what: 'Serwer odmówił dostępu.',
    todo: 'Zapytaj swoją organizację, czy możesz używać tego profilu.',
  },
  'openvpn/server-not-verified': {
    what: 'Serwer nie potwierdził swojej tożsamości, więc Causeway przerwał łączenie.',
    todo: 'Spróbuj w innej sieci. Jeśli to się powtórzy, powiadom administratorów usługi.',
  },
  'openvpn/unreachable': {
    what: 'Nie odpowiedział żaden serwer tego profilu.',
    todo: 'Sprawdź sieć. Niektóre sieci blokują VPN: spróbuj w innej.',
  },
  'openvpn/name-not-resolved': {
    what: 'Nie udało się ustalić adresu serwera VPN na podstawie jego nazwy.',
    todo: 'Sprawdź sieć, a potem spróbuj ponownie.',
  },
  'openvpn/halted-by-server': {
    what: 'Serwer zamknął tunel.',
    todo: 'Przeczytaj komunikaty usługi i połącz się ponownie później.',
  },
  'openvpn/configuration-refused': {
    what: 'OpenVPN nie może działać z tym profilem.',
    todo: 'Powiadom administratorów usługi.',
  },
  'openvpn/timed-out': {
    what: 'Tunel nie powstał na czas.',
    todo: 'Spróbuj ponownie albo w innej sieci.',
  },
  'network/captive-portal': {
    what: 'Ta sieć wymaga zalogowania, zanim wpuści do internetu.',
    todo: 'Otwórz w przeglądarce dowolną stronę, zaloguj się, a potem połącz się ponownie.',
  },
  'connection/lost': {
    what: 'Tunel został utracony, a ponowne łączenie jest wyłączone.',
    todo: 'Połącz się ponownie albo włącz ponowne łączenie w widoku Ustawienia.',
  },
  'openvpn/stopped-unexpectedly': {
    what: 'OpenVPN sam się zatrzymał.',
    todo: 'Połącz się ponownie. Jeśli to się powtórzy, zgłoś to, podając poniższy kod.',
  },

  'helper/not-installed': {
    what: 'Program pomocniczy Causeway nie jest zainstalowany, a bez niego Causeway nie może utworzyć urządzenia sieciowego.',
    todo: 'Zainstaluj go poleceniem „causeway helper install”.',
  },
  'helper/dismissed': {
    what: 'Zamknięto pytanie, czy Causeway może zestawić połączenie.',
    todo: 'Połącz się ponownie i odpowiedz na nie.',
  },
  'helper/not-authorized': {
    what: 'Ten komputer nie pozwala ci zestawić połączenia.',
    todo: 'Zapytaj jego administratora albo połącz się z sesji graficznej, w której system może poprosić o hasło.',
  },
  'helper/refused': {
    what: 'Program pomocniczy Causeway odrzucił konfigurację tego połączenia.',
    todo: 'Poproś administratora tej usługi o poprawienie profilu albo zainstaluj ponownie program pomocniczy z tej wersji.',
  },
  'helper/failed': {
    what: 'Program pomocniczy Causeway nie mógł wykonać zadania.',
    todo: 'Uruchom polecenie „causeway doctor”.',
  },
  'helper/needed-for-kill-switch': {
    what: 'Kill switch wymaga programu pomocniczego Causeway, który nie jest zainstalowany.',
    todo: 'Zainstaluj go poleceniem: causeway helper install. Możesz też wyłączyć kill switch w widoku Ustawienia.',
  },
  'helper/kill-switch-failed': {
    what: 'Nie udało się włączyć kill switcha, więc Causeway nie nawiązał połączenia.',
    todo: 'Zainstaluj nftables albo wyłącz kill switch w widoku Ustawienia.',
  },
  'helper/traffic-blocked': {
    what: 'Kill switch nadal blokuje cały ruch.',
    todo: 'Odblokuj ruch poleceniem „causeway connect --release”, a potem połącz się ponownie.',
  },
  'helper/dns-not-set': {
    what: 'Nie udało się ustawić serwerów DNS tej sieci VPN, więc nazwy są nadal ustalane poza nią.',
    todo: 'Zainstaluj systemd-resolved lub resolvconf, a potem połącz się ponownie.',
  },
  'helper/repaired': {
    what: 'Poprzednie połączenie zakończyło się bez posprzątania po sobie.',
    todo: 'Jego pozostałości są już usunięte. Nie trzeba nic robić.',
  },
  'helper/service-missing': {
    what: 'Usługa OpenVPN nie działa na tym komputerze, a bez niej Causeway nie może zestawić połączenia.',
    todo: 'Zainstaluj OpenVPN razem z jego usługą albo uruchom usługę systemu Windows „OpenVPN Interactive Service”.',
  },
  'helper/service-refused': {
    what: 'Usługa OpenVPN na tym komputerze nie uruchamia połączeń dla twojego konta.',
    todo: 'Poproś administratora o dodanie twojego konta do grupy „OpenVPN Administrators”, a potem zaloguj się ponownie do systemu Windows.',
  },
  'helper/powershell-refused': {
    what: 'Windows nie pozwala Causeway uruchomić programu PowerShell, który zakończyłby połączenie, gdyby Causeway przestał działać.',
    todo: 'Poproś administratora tego komputera, aby zezwolił twojemu kontu na PowerShell.',
  },
  'helper/kill-switch-not-offered': {
    what: 'W tym systemie kill switch nie jest jeszcze dostępny.',
    todo: 'Wyłącz kill switch w widoku Ustawienia, a potem połącz się ponownie.',
  },

  'attachments/refused': {
    what: 'Usługa załączników odrzuciła żądanie.',
    todo: 'Zapytaj swoją organizację, czy możesz z niej korzystać.',
  },
  'attachments/unavailable': {
    what: 'Usługa załączników nie może teraz odpowiedzieć.',
    todo: 'Poczekaj chwilę, a potem spróbuj ponownie.',
  },
  'attachments/unreadable': {
    what: 'Niektórych załączników nie można odczytać i zostały pominięte.',
    todo: 'Powiadom administratorów usługi.',
  },
  'attachments/not-offered': {
    what: 'Ta usługa nie oferuje załączników.',
    todo: 'Wybierz inną usługę albo zapytaj jej administratorów o adres załączników i wpisz go w widoku Ustawienia.',
  },
  'attachments/invalid-response': {
    what: 'Usługa załączników odpowiedziała w sposób, którego Causeway nie może użyć.',
    todo: 'Powiadom administratorów usługi.',
  },
  'attachments/invalid-request': {
    what: 'Żądania nie wysłano do usługi załączników, bo było niepełne.',
    todo: 'Sprawdź wpisane dane.',
  },
  'attachments/forbidden': {
    what: 'Usługa załączników nie pozwala ci tego zrobić.',
    todo: 'Sprawdź w widoku Ustawienia, kim jesteś dla tej usługi, albo poproś swoją organizację o odpowiednią rolę.',
  },
  'attachments/not-found': {
    what: 'Tego załącznika nie ma albo jego plik jeszcze nie dotarł.',
    todo: 'Odśwież listę albo poczekaj, aż przesyłanie się zakończy.',
  },
  'attachments/not-a-file': {
    what: 'Ten załącznik to link, a nie plik.',
    todo: 'Otwórz link.',
  },
  'attachments/extension-needed': {
    what: 'Nazwa tego pliku nie ma rozszerzenia, na przykład .pdf, a usługa go wymaga.',
    todo: 'Nadaj plikowi nazwę z rozszerzeniem.',
  },
  'attachments/file-unreadable': {
    what: 'Nie można odczytać tego pliku.',
    todo: 'Sprawdź, czy istnieje, czy jest plikiem i czy masz prawo go czytać.',
  },
  'attachments/file-changed': {
    what: 'Plik zmienił się podczas przesyłania.',
    todo: 'Poczekaj, aż nic nie będzie do niego zapisywać, i prześlij go ponownie.',
  },
  'attachments/file-exists': {
    what: 'Plik o tej nazwie już istnieje.',
    todo: 'Wybierz inną nazwę albo zezwól na jego zastąpienie.',
  },
  'attachments/file-unwritable': {
    what: 'Nie można tam zapisać pliku.',
    todo: 'Sprawdź, czy na dysku jest miejsce i czy masz prawo zapisu w tym folderze.',
  },
  'attachments/file-missing': {
    what: 'Usługa nie ma już pliku tego załącznika.',
    todo: 'Poproś jego autora o ponowne przesłanie.',
  },
  'attachments/storage-refused': {
    what: 'Magazyn usługi załączników odrzucił plik.',
    todo: 'Spróbuj ponownie później albo powiadom administratorów usługi.',
  },
  'attachments/not-opened': {
    what: 'Nie udało się otworzyć pliku.',
    todo: 'Otwórz go z jego folderu w wybranym programie.',
  },
  'attachments/unsafe-link': {
    what: 'Causeway nie otwiera takich linków.',
    todo: 'Poproś autora o adres, który zaczyna się od https://.',
  },

  'content/not-offered': {
    what: 'Ta usługa nie oferuje nowości.',
    todo: 'Wybierz inną usługę albo zapytaj jej administratorów o adres nowości i wpisz go w widoku Ustawienia.',
  },

  'organizations/not-offered': {
    what: 'Ta usługa nie oferuje organizacji.',
    todo: 'Wybierz inną usługę albo zapytaj jej administratorów o adres organizacji i wpisz go w widoku Ustawienia.',
  },
  'organizations/invalid-request': {
    what: 'Tych danych nie można wysłać do usługi organizacji.',
    todo: 'Sprawdź wpisany tekst: czegoś brakuje, coś jest za długie albo zawiera niedozwolone znaki.',
  },
  'organizations/unauthorized': {
    what: 'Usługa organizacji chce wiedzieć, kim jesteś.',
    todo: 'Podaj swój token albo nazwę użytkownika i hasło do tej usługi.',
  },
  'organizations/forbidden': {
    what: 'Możesz oglądać tę organizację, ale nie możesz jej zmieniać.',
    todo: 'Poproś o to jednego z jej administratorów albo poproś o nadanie ci tej roli.',
  },
  'organizations/not-found': {
    what: 'Taka organizacja nie istnieje lub została usunięta.',
    todo: 'Sprawdź jej numer lub nazwę albo wybierz inną.',
  },
  'organizations/user-not-found': {
    what: 'Taki użytkownik nie istnieje lub został usunięty.',
    todo: 'Sprawdź pisownię i odśwież listę.',
  },
  'organizations/name-taken': {
    what: 'Inna organizacja ma już tę nazwę.',
    todo: 'Wybierz inną nazwę.',
  },
  'organizations/already-member': {
    what: 'Ten użytkownik już należy do organizacji.',
    todo: 'Znajdź tę osobę na liście, aby zmienić jej rolę.',
  },
  'organizations/last-administrator': {
    what: 'Organizacja musi mieć administratora, a to jest ostatni.',
    todo: 'Najpierw nadaj tę rolę komuś innemu.',
  },
  'organizations/refused': {
    what: 'Usługa organizacji tego nie zrobiła.',
    todo: 'Spróbuj ponownie później albo zapytaj jej administratorów.',
  },
  'organizations/invalid-response': {
    what: 'Usługa organizacji odpowiedziała w sposób, którego Causeway nie może użyć.',
    todo: 'Powiadom administratorów usługi. Po wprowadzonej zmianie odśwież widok, aby sprawdzić, czy została wykonana.',
  },

  'content/invalid-request': {
    what: 'Usługa nowości nie przyjmuje tych danych.',
    todo: 'Sprawdź je i spróbuj ponownie.',
  },
  'content/refused': {
    what: 'Usługa nowości odrzuciła żądanie.',
    todo: 'Zapytaj swoją organizację, czy możesz z niej korzystać.',
  },
  'content/not-found': {
    what: 'Usługa nowości nie ma tej treści lub już jej nie ma.',
    todo: 'Wróć do listy i odśwież ją albo sprawdź adres.',
  },
  'content/unavailable': {
    what: 'Usługa nowości nie może teraz odpowiedzieć.',
    todo: 'Poczekaj chwilę, a potem spróbuj ponownie.',
  },
  'content/invalid-response': {
    what: 'Usługa nowości odpowiedziała w sposób, którego Causeway nie może użyć.',
    todo: 'Spróbuj ponownie później. Jeśli nic się nie zmieni, powiadom administratorów usługi.',
  },

  'settings/unknown': {
    what: 'Nie ma takiego ustawienia.',
    todo: 'Wybierz jedno z pokazanych.',
  },
  'settings/invalid-value': {
    what: 'To ustawienie nie przyjmuje tej wartości.',
    todo: 'Wybierz inną.',
  },
  'start-at-login/window-only': {
    what: 'Polecenie w terminalu nie może tego tutaj włączyć.',
    todo: 'Włącz to w oknie, w widoku Ustawienia.',
  },
  'start-at-login/refused': {
    what: 'System tego nie przyjął.',
    todo: 'Znajdź Causeway w ustawieniach systemu wśród aplikacji uruchamianych po zalogowaniu i zezwól na uruchamianie.',
  },
  'data/damaged': {
    what: 'Plik Causeway był uszkodzony, więc Causeway działa bez niego.',
    todo: 'Plik odłożono na bok i nic z niego nie usunięto. Sprawdź ustawienia i listę usług.',
  },
  'data/unreadable': {
    what: 'Nie udało się odczytać pliku Causeway.',
    todo: 'Sprawdź, czy masz prawo czytać plik podany poniżej.',
  },
  'data/unwritable': {
    what: 'Causeway nie mógł zapisać zmiany.',
    todo: 'Sprawdź, czy na dysku jest miejsce i czy masz prawo zapisu do pliku podanego poniżej.',
  },
  'data/busy': {
    what: 'Inny proces Causeway zbyt długo korzysta z tego samego pliku.',
    todo: 'Poczekaj chwilę albo zakończ tamten proces, a potem spróbuj ponownie.',
  },

  'connection/held-by-other': {
    what: 'Tunel należy do innego uruchomionego Causeway, na przykład do polecenia w terminalu.',
    todo: 'Rozłącz się najpierw tam albo rozłącz tunel tutaj.',
  },

  'session/ends-soon': {
    what: 'Sesja wkrótce wygaśnie.',
    todo: 'Odnów ją wcześniej w widoku Połączenie. W przeglądarce trzeba jeszcze raz zezwolić aplikacji Causeway na dostęp.',
  },
  'session/over': {
    what: 'Sesja wygasła.',
    todo: 'Odnów ją: zezwól w przeglądarce aplikacji Causeway na dostęp, a połączenie wróci.',
  },
  'clock/wrong': {
    what: 'Zegar tego komputera jest źle ustawiony, więc certyfikat nie jest tu uznawany za ważny.',
    todo: 'Ustaw zegar i strefę czasową w ustawieniach systemu, najlepiej automatycznie, a potem połącz się ponownie.',
  },
}
