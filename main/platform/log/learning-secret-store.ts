import type { SecretStore } from '../secret-store/secret-store'
import type { Redactor } from './redactor'

/** Creates a store whose secrets the redactor learns, so that the log never contains them. */
export function learningSecretStore(store: SecretStore, redactor: Redactor): SecretStore {
  return {
    get: async (account) => {
      const secret = await store.get(account)
      if (secret !== undefined) redactor.learn(secret)
      return secret
    },
    set: (account, secret) => {
      redactor.learn(secret)
      return store.set(account, secret)
    },
    delete: (account) => store.delete(account),
  }
}
