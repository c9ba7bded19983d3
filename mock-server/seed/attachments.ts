import type { StoredAttachment } from '../attachments/attachment'
import { rememberLast } from '../remember-last'
import { fileExtensions, seedFile, type FileExtension } from './attachments-files'
import { pick, seededRandom } from './random'

/** A file in the object storage from the start. */
interface SeedFile {
  key: string
  extension: FileExtension
  bytes: Buffer
  /** Milliseconds since the epoch. */
  modifiedAt: number
}

/** Keys of files that belong to no attachment; generated attachments of scenarios share them. */
export const sampleKeys = { pdf: 'samples/sample.pdf', txt: 'samples/sample.txt' } as const

const users = ['tester', 'anna', 'bram', 'chloe'] as const
const kinds = ['Slides', 'Exercises', 'Reading list', 'Transcript', 'Source code', 'Lab notes'] as const
const subjects = [
  'routing',
  'certificates',
  'key exchange',
  'name resolution',
  'packet loss',
  'tunnels',
] as const
const count = 40

const longTitle =
  'Everything that was said, asked, answered, doubted and finally agreed upon in the lesson on what happens between ' +
  'the moment in which a laptop wakes up in another network and the moment in which its tunnel carries traffic again, ' +
  'with all the detours over name resolution, packet loss and the patience of people'

/** Titles of other lengths and scripts, by index of the attachment. */
const unusualTitles: Record<number, string> = {
  1: 'Übungen zur Namensauflösung',
  4: '数字证书入门',
  5: 'Маршрутизация: конспект лекции',
  8: longTitle,
  9: 'שיעור על מנהרות',
  11: 'ネットワークの基礎 第１回',
  14: 'ملاحظات حول تبادل المفاتيح',
  16: 'Q & A: “Why <tunnels>?” 🛰️',
  20: 'Ασκήσεις δρομολόγησης',
}

function identifier(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

function about(random: () => number, index: number) {
  const id = identifier(random)
  const subject = pick(random, subjects)
  const videos = random() < 0.8 ? [`video-${Math.floor(random() * 6) + 1}`] : ['video-1', 'video-2']
  const modules = random() < 0.7 ? [`module-${Math.floor(random() * 3) + 1}`] : []
  const userId = pick(random, users)
  const title = unusualTitles[index] ?? `${pick(random, kinds)} on ${subject}`
  const description = random() < 0.5 ? `Goes with the lesson on ${subject}.` : null
  return { subject, attachment: { id, userId, title, description, videos, modules } }
}

/** Returns the data of a seed; `updatedAt` and `modifiedAt` are relative to the time of seeding. */
const generated = rememberLast((seed: number): { attachments: StoredAttachment[]; files: SeedFile[] } => {
  const random = seededRandom(seed)
  const files: SeedFile[] = (['pdf', 'txt'] as const).map((extension) => ({
    key: sampleKeys[extension],
    extension,
    bytes: seedFile(random, extension, 'samples'),
    modifiedAt: 0,
  }))
  const attachments = Array.from({ length: count }, (_, index): StoredAttachment => {
    const { subject, attachment } = about(random, index)
    const updatedAt = -Math.floor((index * 5 + random()) * 3_600_000)
    if (index % 3 === 0) {
      const url = `https://www.example.org/reading/${encodeURIComponent(subject)}/${attachment.id.slice(0, 8)}`
      return { ...attachment, content: { type: 'EXTERNAL', url }, updatedAt }
    }
    const extension = pick(random, fileExtensions)
    const key = `${attachment.id}/${identifier(random)}.${extension}`
    const file = { type: 'INTERNAL', extension } as const
    if (index % 7 === 1) {
      return { ...attachment, content: { ...file, awaitedKey: key, fileKey: null }, updatedAt }
    }
    files.push({ key, extension, bytes: seedFile(random, extension, subject), modifiedAt: updatedAt })
    return { ...attachment, content: { ...file, awaitedKey: null, fileKey: key }, updatedAt }
  })
  return { attachments, files }
})

/**
 * Returns the initial data of the attachments service, determined by seed and time (in milliseconds): links and files
 * for six videos and three modules, most of them uploaded and some awaited.
 */
export function seedAttachments(seed: number, now: number): ReturnType<typeof generated> {
  const { attachments, files } = generated(seed)
  return {
    attachments: attachments.map((one) => ({ ...one, updatedAt: now + one.updatedAt })),
    files: files.map((file) => ({ ...file, modifiedAt: now + file.modifiedAt })),
  }
}
