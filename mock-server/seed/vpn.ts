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

const minuteMs = 60_000
const timeBefore = (now: Date, minutes: number) =>
  new Date(now.getTime() - minutes * minuteMs).toISOString().replace(/\.\d{3}Z$/, 'Z')

export function manyMessages(now: Date): SystemMessage[] {
  return Array.from({ length: 200 }, (_, index) => ({
    type: 'notification' as const,
    date_time: timeBefore(now, 60 * index),
    message: `Message ${200 - index} of 200: the network was checked and nothing is the matter.`,
  }))
}

export function hostileMessages(now: Date): SystemMessage[] {
  return [
    ...hostileTexts.messages.map((message, index) => ({
      type: 'notification' as const,
      date_time: timeBefore(now, index),
      message,
    })),
    {
      type: 'notification',
      date_time: timeBefore(now, hostileTexts.messages.length),
      message: { constructor: 'In the language "constructor"', '<b>': 'In the language "<b>"' },
    },
    { type: 'notification', date_time: timeBefore(now, hostileTexts.messages.length + 1), message: {} },
  ]
}

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
