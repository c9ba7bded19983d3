import { join } from 'node:path'
import { z } from 'zod'
import { createJsonFile, type StoredOptions } from '../../platform/storage/json-file'

/** The instances that have sent `iss` in a sign-in (RFC 9207), in `issuers.json`. All methods throw `data/*`. */
export interface IssuerSenders {
  has(instanceId: string): Promise<boolean>
  add(instanceId: string): Promise<void>
  /** Forgets an instance. Signing out doesn't: what the service can do is no data of a login. */
  remove(instanceId: string): Promise<void>
}

export function createIssuerSenders(options: StoredOptions): IssuerSenders {
  const file = createJsonFile<readonly string[]>({
    ...options,
    path: join(options.dataDirectory, 'issuers.json'),
    schema: z.array(z.string()),
    version: 1,
    empty: [],
  })
  const has = async (id: string) => (await file.read()).includes(id)
  return {
    has,
    add: async (id) => {
      if (!(await has(id))) await file.update((ids) => [...ids.filter((each) => each !== id), id])
    },
    remove: async (id) => {
      if (await has(id)) await file.update((ids) => ids.filter((each) => each !== id))
    },
  }
}
