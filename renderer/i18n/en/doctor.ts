/** The view of the doctor: what Causeway needs of this computer. */
export const doctor = {
  title: 'Doctor',
  text: 'What Causeway needs of this computer, and what to do where something is missing.',
  link: 'Check this computer',
  linkText: 'Looks for everything that Causeway needs, and says what to do where something is missing.',
  checking: 'Checking…',
  again: 'Check again',
  remedy: 'In a terminal:',
  summary: {
    ok: 'Everything that Causeway needs is here.',
    limited: 'Causeway works here, but not all of it.',
    missing: 'Something that Causeway needs is missing.',
  },
  word: {
    ok: 'Fine',
    limited: 'Limited',
    missing: 'Missing',
  },
  name: {
    openvpn: 'OpenVPN',
    service: 'OpenVPN service',
    rights: 'Rights',
    helper: 'Helper',
    'tun-device': 'Tunnel device',
    'key-store': 'Key store',
    dns: 'Name servers',
    'kill-switch': 'Kill switch',
  },
  what: {
    'openvpn-found': 'OpenVPN {{version}} at {{path}}.',
    'openvpn-unusable': 'There is no OpenVPN that can be used.',
    'service-ready': 'The OpenVPN service runs, and starts connections for you.',
    'service-missing':
      'The OpenVPN service does not run, so there is no tunnel without the rights of an administrator.',
    'service-without-powershell':
      'The OpenVPN service runs, but Windows does not let Causeway run PowerShell, which ends a connection if Causeway is gone.',
    'service-not-for-you':
      'The OpenVPN service runs, but you are in none of the groups that it usually starts connections for.',
    'rights-of-service': 'The OpenVPN service sets up the network device and routes.',
    'rights-of-helper': 'The helper sets up the network device and routes.',
    'rights-of-process': 'Causeway may set up a network device and routes by itself.',
    'rights-need-helper': 'Causeway may not set up a network device, so there is no tunnel yet.',
    'rights-need-service': 'Causeway may not set up a network device, so there is no tunnel yet.',
    'helper-ready': '{{path}} is here and can be used.',
    'helper-missing':
      'The helper is not installed: no name servers of a VPN, no kill switch, and no tunnel without root.',
    'helper-missing-macos':
      'The helper is not installed: no tunnel without root, and no name servers of a VPN.',
    'helper-not-built': "The helper is not installed, and this copy of Causeway doesn't include it.",
    'helper-not-used':
      '{{path}} is not used: others than root could change it, or neither pkexec nor sudo is here.',
    'tun-ready': '{{path}} can be opened.',
    'tun-absent': 'There is no {{path}}.',
    'tun-denied': 'You may not open {{path}}.',
    'key-store-ready': 'The key store was written and read back.',
    'key-store-differs': 'The key store gave back something else than was written.',
    'key-store-unusable': 'The key store cannot be used.',
    'dns-ready': '{{program}} is here to set name servers with.',
    'dns-missing': 'Neither resolvectl nor resolvconf is here, so name servers of a VPN cannot be set.',
    'nft-found': 'nftables is here for the kill switch.',
    'nft-missing': 'nftables is not here, which the kill switch needs.',
  },
  todo: {
    'openvpn-unusable': 'Install OpenVPN 2.5 or newer, or name it in the settings.',
    'service-missing':
      'Install OpenVPN with its service, or start the Windows service "OpenVPN Interactive Service".',
    'service-without-powershell': 'Ask the administrator of this computer to allow PowerShell for you.',
    'service-not-for-you':
      'Let an administrator add your account to the group "OpenVPN Administrators", then sign in to Windows again.',
    'rights-need-helper': 'Install the helper.',
    'rights-need-service': 'Install OpenVPN with its service. Causeway need not run as an administrator.',
    'helper-missing': 'Install the helper.',
    'helper-missing-macos': 'Install the helper.',
    'helper-not-built': 'Install Go, then build and install the helper.',
    'helper-not-used': 'Install pkexec (on Debian pkexec and polkitd), then the helper anew.',
    'tun-absent': 'Load the kernel module of the device.',
    'tun-denied': 'Let everyone open the device, as desktops do.',
    'key-store-differs': 'Unlock the key store, or log out of this computer and in again.',
    'key-store-unusable': 'Unlock or start the key store of your desktop.',
    'dns-missing': 'Install systemd-resolved or resolvconf.',
    'nft-missing': 'Install nftables.',
  },
} as const
