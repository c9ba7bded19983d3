import type { Profile, SystemMessage } from '../vpn/profile'

const names = [
  'Library',
  'Großrechner der Universität für angewandte Wissenschaften und Künste in Nordrhein-Westfalen',
  'الشبكة الداخلية للجامعة',
  'רשת המעבדות',
  '研究室ネットワーク',
  'Лабораторный корпус № 7',
  'Εργαστήριο',
  'A name that is much longer than any list has room for, and then goes on to say which building, which floor and which door it is for',
  'עברית and English in one name (2026)',
  '🛰️ Satellite office',
  'Zürich',
  'नेटवर्क',
]

/** Sixty profiles, with long names and names in many scripts. */
export function manyProfiles(): Profile[] {
  return Array.from({ length: 60 }, (_, index) => ({
    profile_id: `network-${index + 1}`,
    display_name: `${names[index % names.length] ?? ''} ${index + 1}`,
    default_gateway: index % 3 === 0,
  }))
}

const minuteMs = 60_000
const timeBefore = (now: Date, minutes: number) =>
  new Date(now.getTime() - minutes * minuteMs).toISOString().replace(/\.\d{3}Z$/, 'Z')

/** Two hundred messages, one an hour, newest first. */
export function manyMessages(now: Date): SystemMessage[] {
  return Array.from({ length: 200 }, (_, index) => ({
    type: 'notification' as const,
    date_time: timeBefore(now, 60 * index),
    message: `Message ${200 - index} of 200: the network was checked and nothing is the matter.`,
  }))
}

const hostileTexts = [
  '<script>document.title = "taken over"</script><img src=x onerror="document.title = 1">',
  '<a href="javascript:alert(1)">Click here</a> <iframe src="file:///etc/passwd"></iframe>',
  '\u202Eexe.gnp.lanruoj\u202C looks like something else',
  `\u0000\u0007\u001B[31mRed in a terminal\u001B[0m\u001B]0;title\u0007\r\nsecond line`,
  'Z\u0351\u036B\u0343\u0302a\u0321\u034Al\u0347g\u0336o'.repeat(200),
  'a'.repeat(10_000),
  '${process.exit(1)} {{7*7}} %s %n %d `reboot` $(reboot)',
  'file:///etc/passwd vscode://open smb://203.0.113.1/share https://xn--80ak6aa92e.example',
  '\uD800 half of a character',
  '',
]

/** Messages that try what should do nothing. */
export function hostileMessages(now: Date): SystemMessage[] {
  return [
    ...hostileTexts.map((message, index) => ({
      type: 'notification' as const,
      date_time: timeBefore(now, index),
      message,
    })),
    {
      type: 'notification',
      date_time: timeBefore(now, hostileTexts.length),
      message: { constructor: 'In the language "constructor"', '<b>': 'In the language "<b>"' },
    },
    { type: 'notification', date_time: timeBefore(now, hostileTexts.length + 1), message: {} },
  ]
}
