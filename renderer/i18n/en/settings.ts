import { instanceSettings } from './instance-settings'

export const settings = {
  title: 'Settings',
  general: 'General',
  language: 'Language',
  languageText:
    'Of everything that Causeway writes. Texts of a service come in it where the service has them.',
  languageSystem: 'As in the system',
  theme: 'Theme',
  themeText: 'Light or dark, or as your system does it.',
  themeSystem: 'As in the system',
  themeLight: 'Light',
  themeDark: 'Dark',
  connection: 'Connection',
  reconnect: {
    label: 'Reconnect',
    text: 'Builds a lost tunnel again by itself, also on another network and after sleep.',
  },
  killSwitch: {
    label: 'Kill switch',
    text: 'Blocks all traffic while a tunnel is lost, so that nothing goes out past it. It ends when you disconnect or press "Allow traffic". Applies to the next connection.',
    missing: {
      'no-helper': 'It needs Causeway\'s helper: run "causeway helper install" in a terminal.',
      'no-nft': 'It needs nftables, which is not installed on this computer.',
      'not-on-this-system': 'Causeway has none on this system.',
    },
  },
  remoteStrategy: {
    label: 'Servers to try',
    text: 'Which of the servers and ports of a profile are asked for.',
    first: 'The first port of each kind',
    random: 'A random port of each kind',
    all: 'All of them',
  },
  preferTcp: {
    label: 'Use TCP only',
    text: 'For networks that do not let UDP through. It is slower, and does not work where a profile has no TCP server.',
  },
  autoConnect: {
    label: 'Connect when Causeway starts',
    text: 'Goes back to the profile that you used last. If you have to log in first, it says so.',
  },
  startAtLogin: {
    label: 'Start when you log in to this computer',
    text: 'Causeway starts in the tray, or minimised where there is none.',
  },
  closeToTray: {
    label: 'Keep running when the window is closed',
    text: 'Causeway stays in the tray with your connection, where your desktop has a tray. "Quit" in its menu ends it.',
  },
  notifications: {
    label: 'Notifications',
    text: 'Tell you what happens while you look elsewhere: connected, lost, a login that ends, new messages.',
  },
  openvpnPath: {
    label: 'OpenVPN',
    text: 'The program that makes the tunnel.',
    detected: 'Detected automatically',
    choose: 'Choose…',
    detect: 'Detect automatically',
  },
  instances: 'Instances',
  noInstances: 'There is none yet. Add one under Connection.',
  remove: 'Remove',
  removeQuestion: 'Remove {{instance}}? Its login and its key are forgotten on this computer.',
  removeConfirm: 'Remove {{instance}}',
  keep: 'Keep',
  instance: instanceSettings,
  support: 'Support',
  supportText:
    'For the people who help you: versions, settings, what is missing here, and the end of the log. Passwords, keys, network addresses and your name are left out.',
  supportCopy: 'Copy for support',
  supportCopied: 'Copied. Paste it into your message to them.',
} as const
