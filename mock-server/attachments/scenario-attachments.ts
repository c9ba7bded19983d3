import { sampleKeys } from '../seed/attachments'
import type { StoredAttachment } from './attachment'
import type { AttachmentList } from './attachment-list'

function common(kind: string, index: number, now: number): Omit<StoredAttachment, 'title' | 'content'> {
  const number = String(index).padStart(12, '0')
  return {
    id: `00000000-0000-4000-${kind}-${number}`,
    userId: ['tester', 'anna', 'bram'][index % 3] ?? 'tester',
    description: null,
    videos: [`video-${(index % 6) + 1}`],
    modules: [`module-${(index % 3) + 1}`],
    updatedAt: now - index,
  }
}

function sample(extension: keyof typeof sampleKeys): StoredAttachment['content'] {
  return { type: 'INTERNAL', extension, awaitedKey: null, fileKey: sampleKeys[extension] }
}

/** Returns `count` attachments, alternating links and files, the same on every call. `now` is in milliseconds. */
function manyAttachments(count: number, now: number): StoredAttachment[] {
  return Array.from({ length: count }, (_, index) => ({
    ...common('8000', index, now),
    title: `Attachment ${index + 1} of ${count}`,
    content:
      index % 2 === 0
        ? sample('pdf')
        : { type: 'EXTERNAL', url: `https://www.example.org/made-up/${index + 1}` },
  }))
}

const hostileTitles = [
  '<script>alert(document.cookie)</script><img src=x onerror=alert(1)>',
  '../../../../../../etc/passwd',
  '..\\..\\Windows\\System32\\drivers\\etc\\hosts',
  '/etc/shadow',
  'C:\\CON',
  'COM1',
  '.bashrc',
  '-rf',
  'report\u202Efdp.exe',
  '\u2067\u05E9\u05DC\u05D5\u05DD\u2069\u200E\u200F\uFEFF',
  'null\u0000byte',
  'line\r\nSet-Cookie: stolen=1\r\n\r\nbreak',
  '\u001b[2J\u001b[31mred\u0007\u0008\u007f',
  ' \t ',
  '"quoted" ; filename=other.exe',
  '%2e%2e%2f%00%0d%0a',
  "Robert'); DROP TABLE attachments;--",
  '${jndi:ldap://127.0.0.1/a} {{7*7}} %s%n',
  'Z\u0351\u0343\u0363a\u0350\u035B\u0346l\u0364\u0365\u0369g\u036C\u036D\u036Eo\u0350\u035B'.repeat(15),
  '👩‍👩‍👧‍👦🏳️‍🌈'.repeat(20),
  'a lone surrogate: \ud800',
  'W'.repeat(500),
] as const

/**
 * Returns attachments with titles that clients must not trust, alternating files and links. `now` is in milliseconds.
 */
function hostileAttachments(now: number): StoredAttachment[] {
  return hostileTitles.map((title, index) => ({
    ...common('9000', index, now),
    title,
    description: title,
    content:
      index % 2 === 0
        ? sample('txt')
        : { type: 'EXTERNAL', url: `https://www.example.org/?title=${index + 1}` },
  }))
}

/** The changes of the list that scenarios make. `now` is in milliseconds. */
export const attachmentSituations: Record<
  'none' | 'ten-thousand' | 'hostile',
  (list: AttachmentList, now: number) => void
> = {
  none: (list) => {
    list.hideAll()
  },
  'ten-thousand': (list, now) => {
    list.show(manyAttachments(10_000, now))
  },
  hostile: (list, now) => {
    list.show(hostileAttachments(now))
  },
}
