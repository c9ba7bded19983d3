import type { StoredAttachment } from '../attachments/attachment'
import { pick, seededRandom } from './random'

const users = ['tester', 'anna', 'bram', 'chloe'] as const
const extensions = ['pdf', 'pptx', 'zip', 'txt'] as const
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

function identifier(random: () => number): string {
  const hex = Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/**
 * Attachments of a seed, the same for the same seed and time: links and files, most files uploaded and some not,
 * over six videos and three modules. Files have addresses under `storageOrigin`.
 */
export function seedAttachments(seed: number, now: Date, storageOrigin: string): StoredAttachment[] {
  const random = seededRandom(seed)
  return Array.from({ length: count }, (_, index) => {
    const id = identifier(random)
    const subject = pick(random, subjects)
    const videos = random() < 0.8 ? [`video-${Math.floor(random() * 6) + 1}`] : ['video-1', 'video-2']
    const modules = random() < 0.7 ? [`module-${Math.floor(random() * 3) + 1}`] : []
    const common = {
      id,
      userId: pick(random, users),
      title: `${pick(random, kinds)} on ${subject}`,
      ...(random() < 0.5 ? { description: `Goes with the lesson on ${subject}.` } : {}),
      videos,
      modules,
    }
    const updatedAt = new Date(now.getTime() - (index * 5 + random()) * 3_600_000)
    if (index % 3 === 0) {
      const url = `https://www.example.org/reading/${encodeURIComponent(subject)}/${id.slice(0, 8)}`
      return { attachment: { ...common, type: 'EXTERNAL', status: 'COMPLETED', url }, updatedAt }
    }
    const extension = pick(random, extensions)
    const url = `${storageOrigin}/storage/${id}.${extension}`
    const status = index % 7 === 1 ? 'IN_PROGRESS' : 'COMPLETED'
    return { attachment: { ...common, type: 'INTERNAL', status, extension, url }, updatedAt }
  })
}
