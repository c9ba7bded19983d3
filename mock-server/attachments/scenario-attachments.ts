import { hostileTexts } from '../seed/hostile-texts'
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

/**
 * Returns attachments with titles that clients must not trust, alternating files and links. `now` is in milliseconds.
 */
function hostileAttachments(now: number): StoredAttachment[] {
  return hostileTexts.attachments.map((title, index) => ({
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
