import { z } from 'zod'
import { profileSchema, type Profile, type SystemMessage } from '../vpn/profile'
import data from './texts/portal.json'

/** The profiles of every seed. Version 2 of the API lists the first two. */
export function seedProfiles(): Profile[] {
  return z.array(profileSchema).parse(data.profiles)
}

/** System messages of the last days, newest first: plain, localized, and one that tries markup. */
export function seedSystemMessages(now: Date): SystemMessage[] {
  return data.messages.map(({ hoursAgo, message }) => ({
    type: 'notification',
    date_time: new Date(now.getTime() - hoursAgo * 3_600_000).toISOString().replace(/\.\d{3}Z$/, 'Z'),
    message,
  }))
}
