import { z } from 'zod'
import { type Profile, profileSchema, type SystemMessage } from '../vpn/profile'
import data, { manyNames } from './texts/portal.json'
import { hostileTexts } from './hostile-texts'
import { cycled } from './random'

export function manyProfiles(): Profile[] {
  return Array.from({ length: 60 }, (_, index) => ({
    profile_id: `network-${index + 1}`,
    display_name: `${cycled(manyNames, index)} ${index + 1}`,
    default_gateway: index % 3 === 0,
  }))
}

const notification = (now: Date, minutesAgo: number, message: SystemMessage['message']): SystemMessage => ({
  type: 'notification',
  date_time: new Date(now.getTime() - minutesAgo * 60_000).toISOString().replace(/\.\d{3}Z$/, 'Z'),
  message,
})

export function manyMessages(now: Date): SystemMessage[] {
  return Array.from({ length: 200 }, (_, index) => {
    const message = `Message ${200 - index} of 200: the network was checked and nothing is the matter.`
    return notification(now, 60 * index, message)
  })
}

export function hostileMessages(now: Date): SystemMessage[] {
  const byLanguage = { constructor: 'In the language "constructor"', '<b>': 'In the language "<b>"' }
  const messages = [...hostileTexts.messages, byLanguage, {}]
  return messages.map((message, index) => notification(now, index, message))
}

/** The profiles of every seed. Version 2 of the API lists the first two. */
export const seedProfiles: readonly Profile[] = z.array(profileSchema).parse(data.profiles)

export function seedSystemMessages(now: Date): SystemMessage[] {
  return data.messages.map(({ hoursAgo, message }) => notification(now, 60 * hoursAgo, message))
}
