import { setTimeout as delay } from 'node:timers/promises'
import { withFileLock } from './file-lock'

/** Takes the lock of its argument, reports it, and holds it until the process is ended. */
await withFileLock(process.argv[2] ?? '', async () => {
  process.stdout.write('held\n')
  await delay(60_000)
})
