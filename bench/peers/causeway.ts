import { createInterface } from 'node:readline'
import { type Peer, ProcessGroup } from './peer'

/** What in Causeway makes tunnels, with the helper, from the bundle of bench/peers-causeway.ts. */
export async function causeway(
  bundle: string,
  settingFile: string,
  protocol: Peer['protocol'],
): Promise<Peer> {
  const group = await ProcessGroup.make(`causeway-${protocol}`)
  const running = group.start(process.execPath, [bundle, settingFile, protocol], { stdin: 'pipe' })
  const waiting: { readonly word: string; readonly resolve: () => void }[] = []
  createInterface({ input: running.stdout }).on('line', (line) => {
    const word = line.split(' ')[0]
    for (const each of waiting.filter((one) => one.word === word)) {
      waiting.splice(waiting.indexOf(each), 1)
      each.resolve()
    }
  })
  running.stderr.pipe(process.stderr)
  const says = (word: string) =>
    new Promise<void>((resolve) => {
      waiting.push({ word, resolve })
    })
  const tell = (word: string) => running.stdin?.write(`${word}\n`)
  await says('ready')
  return {
    name: 'Causeway',
    protocol,
    group,
    connect: async () => {
      const connected = says('connected')
      tell('connect')
      await connected
    },
    disconnect: async () => {
      const disconnected = says('disconnected')
      tell('disconnect')
      await disconnected
    },
    noticed: () => says('restarting'),
    end: async () => {
      tell('end')
      await running
      await group.remove()
    },
  }
}
