import type { ErrorTexts } from '../error-texts'

export const errors: ErrorTexts = {
  'internal/unexpected': {
    what: 'Causeway met a situation it was not made for.',
    todo: 'Try again. If it comes back, report it with the code below.',
  },
  'app/ended-unexpectedly': {
    what: 'Causeway ended unexpectedly while it was connected or connecting.',
    todo: 'Connect again. If it comes back, send the report under Settings, "Copy for support", to your organization.',
  },
  'usage/invalid-argument': {
    what: 'This input is not one that Causeway can use.',
    todo: 'Check it and try again.',
  },
  'usage/unknown-instance': {
    what: 'This instance is not in your list any more.',
    todo: 'Add it again by its address.',
  },
  'usage/instance-needed': {
    what: 'It is not clear which instance is meant.',
    todo: 'Choose one from your list, or add one first.',
  },
  'usage/no-last-connection': {
    what: 'There is no last connection that Causeway remembers.',
    todo: 'Choose a profile.',
  },
  'usage/profile-needed': {
    what: 'It is not clear which profile is meant.',
    todo: 'Choose one from the list.',
  },

  'http/insecure-url': {
    what: 'The address is not a secure one.',
    todo: 'Use an address that begins with https.',
  },
  'http/unreachable': {
    what: 'The server could not be reached.',
    todo: 'Check your network and the address, then try again.',
  },
  'http/tls-failed': {
    what: 'No secure connection to the server came about: its certificate does not fit.',
    todo: 'Check the address and the clock of this computer. In a guest network, open a web page and log in there first.',
  },
  'http/timed-out': {
    what: 'The server did not answer in time.',
    todo: 'Try again in a while, or from another network.',
  },
  'http/too-large': {
    what: 'The server sent much more than was asked for, so Causeway stopped reading.',
    todo: 'Check the address. If it is right, tell the people who run the service.',
  },
  'http/private-address': {
    what: 'The service named an address that is not on the public internet, so Causeway did not ask it.',
    todo: 'Tell the people who run the service.',
  },
  'http/cancelled': {
    what: 'The request was cancelled.',
    todo: 'Start it again when you want to go on.',
  },

  'discovery/invalid-address': {
    what: 'This is not the address of a service.',
    todo: 'Type it as you were given it, such as vpn.example.org.',
  },
  'discovery/insecure-address': {
    what: 'This address begins with http://, so anybody on the way could read along.',
    todo: 'Use the address that begins with https://.',
  },
  'discovery/not-found': {
    what: 'There is no VPN service at this address.',
    todo: 'Check the address with your organization.',
  },
  'discovery/not-json': {
    what: 'This address answers, but not as a VPN service does.',
    todo: 'Check the address. In a guest network, open a web page and log in there first.',
  },
  'discovery/no-vpn-api': {
    what: 'The service at this address does not speak a version that Causeway understands.',
    todo: 'Ask your organization which application fits its service.',
  },
  'discovery/unsupported-version': {
    what: "This service offers only a version of the VPN API that this version of Causeway doesn't support yet.",
    todo: 'Check for a newer version of Causeway, or ask your organization which application works with its service.',
  },
  'discovery/invalid-document': {
    what: 'The service describes itself in a way that Causeway cannot use.',
    todo: 'Tell the people who run the service.',
  },
  'discovery/too-many-redirects': {
    what: 'The address leads from one place to the next without an end.',
    todo: 'Check the address, or tell the people who run the service.',
  },
  'discovery/insecure-redirect': {
    what: 'The address leads to a place that is not secure, so Causeway did not follow.',
    todo: 'Check the address, or tell the people who run the service.',
  },
  'discovery/invalid-redirect': {
    what: 'The address leads to a place that does not exist.',
    todo: 'Check the address, or tell the people who run the service.',
  },
  'discovery/server-error': {
    what: 'The service has an internal problem.',
    todo: 'Try again in a while.',
  },

  'oauth/login-required': {
    what: 'Your login has ended.',
    todo: 'Log in again to go on.',
  },
  'oauth/access-denied': {
    what: 'Access was denied in the browser.',
    todo: 'Log in again and approve Causeway there.',
  },
  'oauth/client-refused': {
    what: "This service doesn't know Causeway, so nobody can log in with it yet.",
    todo: 'Ask the administrator of the service to register Causeway, or enter the client ID that they gave you.',
  },
  'oauth/authorization-failed': {
    what: 'The service did not let you log in.',
    todo: 'Try again. If it comes back, tell the people who run the service.',
  },
  'oauth/cancelled': {
    what: 'The login was cancelled.',
    todo: 'Log in again when you want to go on.',
  },
  'oauth/timed-out': {
    what: 'Causeway waited for the browser and heard nothing.',
    todo: 'Log in again. If the browser shows an error, tell the people who run the service.',
  },
  'oauth/issuer-mismatch': {
    what: 'The answer in the browser came from another service than the one asked, so Causeway did not use it.',
    todo: 'Log in again. If it comes back, tell the people who run the service.',
  },
  'oauth/invalid-callback': {
    what: 'The browser came back without what Causeway needs.',
    todo: 'Log in again.',
  },
  'oauth/code-refused': {
    what: 'The service took back the approval that it had just given.',
    todo: 'Log in again.',
  },
  'oauth/invalid-token-response': {
    what: 'The service answered the login in a way that Causeway cannot use.',
    todo: 'Tell the people who run the service.',
  },
  'oauth/server-error': {
    what: 'The login of the service has a fault of its own at the moment.',
    todo: 'Try again in a while. You stay logged in.',
  },
  'oauth/browser-not-opened': {
    what: 'Your browser did not open.',
    todo: 'Set a standard browser in your system, then try again.',
  },

  'vpn-api/refused': {
    what: 'The service refused the request.',
    todo: 'Try again. If it comes back, tell the people who run the service.',
  },
  'vpn-api/profile-unavailable': {
    what: 'This profile does not exist any more, or is not meant for you.',
    todo: 'Choose another profile, or ask your organization for it.',
  },
  'vpn-api/server-error': {
    what: 'The service has an internal problem.',
    todo: 'Try again in a while.',
  },
  'vpn-api/invalid-response': {
    what: 'The service answered in a way that Causeway cannot use.',
    todo: 'Tell the people who run the service.',
  },

  'certificate/none': {
    what: 'There is no certificate of this instance on this computer yet.',
    todo: 'Connect once, and Causeway gets one.',
  },
  'certificate/invalid': {
    what: 'The service gave you a certificate that does not work.',
    todo: 'Try again. If it comes back, tell the people who run the service.',
  },
  'certificate/clock-mismatch': {
    what: 'By the clock of this computer your certificate is not valid yet: the clocks disagree.',
    todo: 'Set the clock and time zone of this computer, then connect again.',
  },
  'certificate/refused': {
    what: 'The service does not accept your certificate and gives you no other.',
    todo: 'Ask your organization whether your account is still active.',
  },

  'secret-store/unavailable': {
    what: 'There is no key store on this computer in which your login could be kept.',
    todo: 'Set up a keyring such as GNOME Keyring or KWallet, then start Causeway again.',
  },
  'secret-store/locked': {
    what: 'The key store of this computer is locked.',
    todo: 'Unlock it, then try again.',
  },
  'secret-store/in-file': {
    what: 'Your logins are kept in a file, not in a key store. Whoever can read your files can use them.',
    todo: 'Start Causeway without the option secret-store as soon as this computer has a key store.',
  },
  'secret-store/failed': {
    what: 'The key store of this computer did not do what it was asked.',
    todo: 'Try again. If it comes back, log in to your computer anew.',
  },

  'profile-configuration/malformed': {
    what: 'The profile is damaged or incomplete, so Causeway does not use it.',
    todo: 'Tell the people who run the service.',
  },
  'profile-configuration/forbidden-directive': {
    what: 'The profile asks for something that could harm this computer, so Causeway does not use it.',
    todo: 'Tell the people who run the service.',
  },
  'profile-configuration/invalid-argument': {
    what: 'The profile holds a value that Causeway does not pass on.',
    todo: 'Tell the people who run the service.',
  },
  'profile-configuration/incomplete': {
    what: 'The profile lacks something that a tunnel needs.',
    todo: 'Tell the people who run the service.',
  },
  'profile-configuration/no-tcp-remote': {
    what: 'You prefer TCP, and this profile has no server that speaks it.',
    todo: 'Turn the preference for TCP off, or choose another profile.',
  },

  'openvpn/not-found': {
    what: 'OpenVPN was not found on this computer.',
    todo: 'Install OpenVPN 2.5 or newer, or correct the path at which Causeway looks for it, then connect again.',
  },
  'openvpn/too-old': {
    what: 'The OpenVPN on this computer is too old.',
    todo: 'Update it, then connect again.',
  },
  'openvpn/not-permitted': {
    what: 'Causeway is not allowed to set up a tunnel on this computer.',
    todo: 'Allow it when your system asks, or ask the person who looks after this computer.',
  },
  'openvpn/certificate-rejected': {
    what: 'The server rejected your certificate, and a new one as well.',
    todo: 'Log out and in again. If it comes back, ask your organization.',
  },
  'openvpn/authentication-failed': {
    what: 'The server did not let you in.',
    todo: 'Ask your organization whether you may use this profile.',
  },
  'openvpn/server-not-verified': {
    what: 'The server could not show that it is the right one, so Causeway stopped.',
    todo: 'Try another network. If it comes back, tell the people who run the service.',
  },
  'openvpn/unreachable': {
    what: 'No server of this profile answered.',
    todo: 'Check your network. Some networks block VPNs: try another one.',
  },
  'openvpn/name-not-resolved': {
    what: 'The name of the VPN server could not be looked up.',
    todo: 'Check your network, then try again.',
  },
  'openvpn/halted-by-server': {
    what: 'The server ended the tunnel.',
    todo: 'Read the messages of the service, and connect again later.',
  },
  'openvpn/configuration-refused': {
    what: 'OpenVPN cannot work with this profile.',
    todo: 'Tell the people who run the service.',
  },
  'openvpn/timed-out': {
    what: 'The tunnel did not come about in time.',
    todo: 'Try again, or try another network.',
  },
  'network/captive-portal': {
    what: 'This network wants you to sign in before it lets you out.',
    todo: 'Open a web page in your browser, sign in, then connect again.',
  },
  'connection/lost': {
    what: 'The tunnel was lost, and reconnecting is turned off.',
    todo: 'Connect again, or turn on reconnecting in the settings.',
  },
  'openvpn/stopped-unexpectedly': {
    what: 'OpenVPN stopped by itself.',
    todo: 'Connect again. If it comes back, report it with the code below.',
  },

  'helper/not-installed': {
    what: "Causeway's helper is not installed, and without it Causeway may not set up a network device.",
    todo: 'Install it with "causeway helper install".',
  },
  'helper/dismissed': {
    what: 'The question whether Causeway may set up the connection was dismissed.',
    todo: 'Connect again, and answer it.',
  },
  'helper/not-authorized': {
    what: 'This computer does not let you set up a connection.',
    todo: 'Ask its administrator, or connect from the desktop session, where you can be asked for a password.',
  },
  'helper/refused': {
    what: "Causeway's helper refused the configuration of this connection.",
    todo: 'Ask the administrator of this instance to correct the profile, or install the helper of this version again.',
  },
  'helper/failed': {
    what: "Causeway's helper could not do its work.",
    todo: 'Run "causeway doctor".',
  },
  'helper/needed-for-kill-switch': {
    what: "The kill switch needs Causeway's helper, which is not installed.",
    todo: 'Install it with: causeway helper install. Or turn the kill switch off under Settings.',
  },
  'helper/kill-switch-failed': {
    what: 'The kill switch could not be set up, so Causeway did not connect.',
    todo: 'Install nftables, or turn the kill switch off under Settings.',
  },
  'helper/traffic-blocked': {
    what: 'The kill switch keeps all traffic blocked.',
    todo: 'Lift it with "causeway connect --release", then connect again.',
  },
  'helper/dns-not-set': {
    what: 'The name servers of this VPN could not be set, so names are still looked up outside of it.',
    todo: 'Install systemd-resolved or resolvconf, then connect again.',
  },
  'helper/repaired': {
    what: 'A connection had ended without cleaning up.',
    todo: 'What it left behind is gone now. You need not do anything.',
  },
  'helper/service-missing': {
    what: 'The OpenVPN service does not run on this computer, and without it Causeway may not set up a connection.',
    todo: 'Install OpenVPN with its service, or start the Windows service "OpenVPN Interactive Service".',
  },
  'helper/service-refused': {
    what: 'The OpenVPN service of this computer does not start connections for you.',
    todo: 'Ask an administrator to add your account to the group "OpenVPN Administrators", then sign in to Windows again.',
  },
  'helper/powershell-refused': {
    what: 'Windows does not let Causeway run PowerShell, which would end the connection if Causeway were gone.',
    todo: 'Ask the administrator of this computer to allow PowerShell for you.',
  },
  'helper/kill-switch-not-offered': {
    what: 'There is no kill switch on this system yet.',
    todo: 'Turn the kill switch off under Settings, then connect again.',
  },

  'attachments/refused': {
    what: 'The attachment service refused the request.',
    todo: 'Ask your organization whether you may use it.',
  },
  'attachments/unavailable': {
    what: 'The attachment service can’t answer now.',
    todo: 'Wait a moment, then try again.',
  },
  'attachments/unreadable': {
    what: 'Some attachments could not be read and are left out.',
    todo: 'Tell the people who run the service.',
  },
  'attachments/not-offered': {
    what: 'This instance offers no attachments.',
    todo: 'Choose another instance, or ask its people for the address of the service and enter it in Settings.',
  },
  'attachments/invalid-response': {
    what: 'The attachment service answered in a way that Causeway cannot use.',
    todo: 'Tell the people who run the service.',
  },
  'attachments/invalid-request': {
    what: 'The attachment service was not asked, as the request is not complete.',
    todo: 'Check what was filled in.',
  },
  'attachments/forbidden': {
    what: 'The attachment service does not let you do this.',
    todo: 'Check who you are for this instance in Settings, or ask your organization for the role.',
  },
  'attachments/not-found': {
    what: 'This attachment is not there, or its file has not arrived yet.',
    todo: 'Refresh the list, or wait until its upload is complete.',
  },
  'attachments/not-a-file': {
    what: 'This attachment is a link, not a file.',
    todo: 'Open the link instead.',
  },
  'attachments/extension-needed': {
    what: 'The name of this file has no extension, such as .pdf, and the service needs one.',
    todo: 'Give the file a name that ends in one.',
  },
  'attachments/file-unreadable': {
    what: 'This file cannot be read.',
    todo: 'Check that it is there, is a file, and that you may read it.',
  },
  'attachments/file-changed': {
    what: 'The file changed while it was uploaded.',
    todo: 'Wait until nothing writes to it any more, and upload it again.',
  },
  'attachments/file-exists': {
    what: 'There is a file with this name already.',
    todo: 'Choose another name, or allow that it is replaced.',
  },
  'attachments/file-unwritable': {
    what: 'The file cannot be saved there.',
    todo: 'Check that the disk has space and that you may write to the folder.',
  },
  'attachments/file-missing': {
    what: 'The service does not have the file of this attachment any more.',
    todo: 'Ask its author to upload it again.',
  },
  'attachments/storage-refused': {
    what: 'The storage of the attachment service refused the file.',
    todo: 'Try again later, or tell the people who run the service.',
  },
  'attachments/not-opened': {
    what: 'The file could not be opened.',
    todo: 'Open it from its folder, with a program of your choice.',
  },
  'attachments/unsafe-link': {
    what: 'This link is not one that Causeway opens.',
    todo: 'Ask its author for an address that begins with https://.',
  },

  'content/not-offered': {
    what: 'This instance offers no news.',
    todo: 'Choose another instance, or ask its people for the address of the service and enter it in Settings.',
  },

  'organizations/not-offered': {
    what: 'This instance offers no organizations.',
    todo: 'Choose another instance, or ask its people for the address of the service and enter it in Settings.',
  },
  'organizations/invalid-request': {
    what: 'This cannot be sent to the organization service as it is.',
    todo: 'Check what you typed: something is missing, too long, or holds characters that do not belong there.',
  },
  'organizations/unauthorized': {
    what: 'The organization service wants to know who you are.',
    todo: 'Enter the token, or the user name and password, that you have for it.',
  },
  'organizations/forbidden': {
    what: 'You may look at this organization, not change it.',
    todo: 'Ask one of its administrators to do it, or to make you one.',
  },
  'organizations/not-found': {
    what: 'There is no such organization, or not any more.',
    todo: 'Check its number or name, or look at another one.',
  },
  'organizations/user-not-found': {
    what: 'There is no such user, or not any more.',
    todo: 'Check the spelling, and refresh the list.',
  },
  'organizations/name-taken': {
    what: 'Another organization has this name already.',
    todo: 'Choose another name.',
  },
  'organizations/already-member': {
    what: 'This user is a member already.',
    todo: 'Look for them in the list to change their role.',
  },
  'organizations/last-administrator': {
    what: 'An organization needs an administrator, and this is the last one.',
    todo: 'Make somebody else an administrator first.',
  },
  'organizations/refused': {
    what: 'The organization service did not do it.',
    todo: 'Try again later, or ask the people who run it.',
  },
  'organizations/invalid-response': {
    what: 'The organization service answered in a way that Causeway cannot use.',
    todo: 'Tell the people who run the service. If you changed something, refresh to see whether it was done.',
  },

  'content/invalid-request': {
    what: 'The news service does not take this input.',
    todo: 'Check it and try again.',
  },
  'content/refused': {
    what: 'The news service refused the request.',
    todo: 'Ask your organization whether you may use it.',
  },
  'content/not-found': {
    what: 'The news service has nothing there, or has it no longer.',
    todo: 'Go back to the list and refresh it, or check the address.',
  },
  'content/unavailable': {
    what: 'The news service cannot answer now.',
    todo: 'Wait a moment, then try again.',
  },
  'content/invalid-response': {
    what: 'The news service answered in a way that Causeway cannot use.',
    todo: 'Try again later. If it stays so, tell the people who run the service.',
  },

  'settings/unknown': {
    what: 'There is no such setting.',
    todo: 'Choose one of those shown.',
  },
  'settings/invalid-value': {
    what: 'This setting does not take that value.',
    todo: 'Choose another one.',
  },
  'start-at-login/window-only': {
    what: 'The terminal command cannot turn this on here.',
    todo: 'Turn it on in the settings of the window.',
  },
  'start-at-login/refused': {
    what: 'The system did not take this.',
    todo: 'Look for Causeway among the login items in the settings of your system, and allow it there.',
  },
  'data/damaged': {
    what: 'A file of Causeway was damaged, and Causeway went on without it.',
    todo: 'It was set aside and nothing of it is deleted. Check your settings and your list of instances.',
  },
  'data/unreadable': {
    what: 'A file of Causeway could not be read.',
    todo: 'Check that the file named below is one that you may read.',
  },
  'data/unwritable': {
    what: 'Causeway could not save your change.',
    todo: 'Check that there is space on the disk and that you may write to the file named below.',
  },
  'data/busy': {
    what: 'Another Causeway is busy with the same file for too long.',
    todo: 'Wait a moment, or end the other one, then try again.',
  },

  'connection/held-by-other': {
    what: 'Another Causeway of yours, such as the terminal command, has the tunnel.',
    todo: 'Disconnect there first, or disconnect it here.',
  },

  'session/ends-soon': {
    what: 'Your login ends soon.',
    todo: 'Renew it under Connection before then. You approve Causeway in your browser once more.',
  },
  'session/over': {
    what: 'Your login has ended.',
    todo: 'Renew it: you approve Causeway in your browser, and are connected again.',
  },
  'clock/wrong': {
    what: 'The clock of this computer is wrong, so your certificate does not count here.',
    todo: 'Set clock and time zone in the settings of your system, best automatically, then connect again.',
  },
}
