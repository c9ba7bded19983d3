import { vi } from 'vitest'

/** Vitest gives up after a second, in which a busy machine starts no process. */
const timeout = 15_000

type Options = Parameters<typeof vi.waitFor>[1]

const patient = (options: Options): Options =>
  typeof options === 'number' ? options : { timeout, ...options }

const wrapped = Symbol.for('causeway.patient-waits')

// The files of a worker share `vi`.
if (!(wrapped in vi)) {
  const { waitFor, waitUntil } = vi
  Object.defineProperty(vi, wrapped, { value: true })
  vi.waitFor = (callback, options) => waitFor(callback, patient(options))
  vi.waitUntil = (callback, options) => waitUntil(callback, patient(options))
}
