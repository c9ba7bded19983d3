import { join } from 'node:path'

import { type ConnectionTarget, type ProfileChoice, profileChoice } from '../../contract/connection'
import { Emitter } from '../emitter'
import { createJsonFile } from '../platform/storage/json-file'
import { z } from 'zod'

/** The user's choices of protocols, by profile. All methods throw `data/unreadable`, and `set` also `data/unwritable`. */
export interface ProfileChoices {
  all(): Promise<readonly ProfileChoice[]>
  /** Undefined for a profile whose protocol the portal chooses. */
  of(target: ConnectionTarget): Promise<ProfileChoice | undefined>
  set(choice: ProfileChoice): Promise<void>
  /** Calls back with all choices after each change made here; returns a function that unsubscribes. */
  onChange(listener: (all: readonly ProfileChoice[]) => void): () => void
}

const most = 500

export function createProfileChoices(options: {
  readonly dataDirectory: string
  readonly now: () => Date
  /** Called with the new path of a damaged file. */
  readonly onDamaged: (movedTo: string) => void
  readonly registerForget: (forget: (instanceId: string) => Promise<void>) => void
  readonly onDefect: (error: unknown) => void
}): ProfileChoices {
  const { dataDirectory, now, onDamaged, registerForget, onDefect } = options
  const file = createJsonFile({
    path: join(dataDirectory, 'profile-choices.json'),
    schema: z.object({ choices: z.array(profileChoice) }),
    version: 1,
    empty: { choices: [] },
    now,
    onDamaged,
  })
  const changes = new Emitter<readonly ProfileChoice[]>(onDefect)
  const change = async (by: (all: readonly ProfileChoice[]) => ProfileChoice[]): Promise<void> => {
    const { choices } = await file.update((stored) => ({ choices: by(stored.choices) }))
    changes.emit(choices)
  }
  const isOf = (target: ConnectionTarget) => (each: ConnectionTarget) =>
    each.instanceId === target.instanceId && each.profileId === target.profileId
  registerForget(async (instanceId) => {
    const { choices } = await file.read()
    if (!choices.some((each) => each.instanceId === instanceId)) return
    await change((all) => all.filter((each) => each.instanceId !== instanceId))
  })
  return {
    all: async () => (await file.read()).choices,
    of: async (target) => (await file.read()).choices.find(isOf(target)),
    set: ({ instanceId, profileId, protocol, tcpOnly }) =>
      change((all) => {
        const choice = { instanceId, profileId, protocol, tcpOnly }
        const others = all.filter((each) => !isOf(choice)(each))
        return protocol === 'auto' && !tcpOnly ? others : [choice, ...others].slice(0, most)
      }),
    onChange: (listener) => changes.on(listener),
  }
}
