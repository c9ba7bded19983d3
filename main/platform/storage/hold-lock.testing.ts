import { setTimeout as delay } from 'node:timers/promises'
import { withFileLock } from './file-lock'

/** A process that takes the lock of its argument, says so, and keeps it until it is ended. */
await withFileLock(process.argv[2] ?? '', async () => {
  process.stdout.write('held\n')
  await delay(60_000)
})
