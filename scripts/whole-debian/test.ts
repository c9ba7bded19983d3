import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { newAuthority } from '../../mock-server/tls/server-identity'
import { answerHelp } from '../help'
import { commandPackage } from '../installed-debian'
import { exitWith, isStarted } from '../program'
import { setUp } from '../set-up'
import { layOutDebian, makeDisk, prepareDebian, type Release, releases } from './guest'
import { type Machine, startMachine } from './machine'
import type { Captured, Stage } from './stage'
import { steps } from './steps'
import { type StepResult, writeTables } from './table'
import { openWorld, type World } from './world'

/** After this, the machine is taken for lost. */
const longestMinutes = 120

/**
 * Runs a whole Debian, with its own kernel, in a virtual machine, as a person's computer: Causeway is installed there as a person would,
 * and the steps of steps.ts follow. What is around the machine, the internet and the VPN's servers, is on this computer, which also
 * captures what its network cards send. Needs the built app, root, and the packages in scripts/set-up.ts; without hardware help it takes
 * ten minutes or more.
 *
 * @param keep a folder that keeps the Debian without Causeway, for the next run
 * @returns 0 if every step was as expected; what happened is then in docs/reliability.md and docs/apps.md
 */
export async function testWholeDebian(release: Release, keep?: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-whole-debian-'))
  await chmod(folder, 0o755)
  const began = Date.now()
  const captured: Captured[] = []
  const base = await baseIn(release, join(keep ?? folder, release.name))
  const results = await tryIn(folder, release, base, captured)
  const failed = results.filter(({ failure }) => failure !== undefined)
  const minutes = Math.ceil((Date.now() - began) / 60_000)
  await writeTables({ release, minutes, results, captured })
  if (failed.length === 0) await rm(folder, { recursive: true })
  else console.log(`What the machine and its kernel said, and the captures, are in ${folder}.`)
  return failed.length === 0 ? 0 : 1
}

/** The disk of a Debian without Causeway, and what starts it. */
interface Base {
  readonly disk: string
  readonly kernel: string
  readonly initrd: string
}

/** Makes a Debian in a folder, unless it is there. */
async function baseIn(release: Release, folder: string): Promise<Base> {
  const base = { disk: join(folder, 'disk'), kernel: join(folder, 'vmlinuz'), initrd: join(folder, 'initrd') }
  if (existsSync(base.disk)) return base
  console.log('Laying out a Debian…')
  const root = join(folder, 'root')
  await mkdir(folder, { recursive: true })
  await layOutDebian(release, root)
  await prepareDebian(release, root)
  const boot = join(root, 'boot')
  for (const [start, target] of [
    ['vmlinuz-', base.kernel],
    ['initrd.img-', base.initrd],
  ] as const) {
    const name = (await readdir(boot)).find((each) => each.startsWith(start)) ?? ''
    await copyFile(join(boot, name), target)
  }
  await makeDisk(root, `${base.disk}-draft`, '4G')
  await rename(`${base.disk}-draft`, base.disk)
  await rm(root, { recursive: true })
  return base
}

async function tryIn(
  folder: string,
  release: Release,
  base: Base,
  captured: Captured[],
): Promise<StepResult[]> {
  const authority = { certificate: join(folder, 'portal.crt'), key: join(folder, 'portal.key') }
  const medium = join(folder, 'medium')
  await mkdir(medium)
  const { certificate, privateKey } = newAuthority()
  await writeFile(authority.certificate, certificate)
  await writeFile(authority.key, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  await copyFile(authority.certificate, join(medium, basename(authority.certificate)))
  const deb = await commandPackage(folder)
  await copyFile(deb, join(medium, basename(deb)))
  await makeDisk(medium, `${medium}.disk`, '64M')

  let world: World | undefined
  let machine: Machine | undefined
  const late = setTimeout(() => {
    console.log(`The machine has run for ${longestMinutes} minutes, and is ended.`)
    void machine?.end()
  }, longestMinutes * 60_000)
  try {
    world = await openWorld(folder, authority)
    const { inside } = world
    machine = await startMachine({ folder, ...base, medium: `${medium}.disk`, inWorld: inside })
    return await takeSteps({ release, machine, world, captured }, folder)
  } finally {
    clearTimeout(late)
    await machine?.end()
    await world?.close()
  }
}

/** Takes every step, also after one that failed, and says how each went. */
async function takeSteps(stage: Stage, folder: string): Promise<StepResult[]> {
  const { machine } = stage
  const results: StepResult[] = []
  for (const { name, run } of steps) {
    const began = Date.now()
    let failure: string | undefined
    try {
      await run(stage)
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error)
    }
    const seconds = Math.round((Date.now() - began) / 1000)
    console.log(`${name}: ${failure === undefined ? 'ok' : `failed: ${failure}`} (${seconds} s)`)
    results.push({ name, seconds, failure })
    if (failure !== undefined) {
      await keepLog(machine, join(folder, `journal-${results.length}`))
      // So that it fails no other one.
      await machine
        .run(
          'person',
          'systemctl --user stop "app-*.scope"; causeway disconnect --wait; causeway apps mode all',
        )
        .catch(() => undefined)
    }
  }
  return results
}

/** Keeps what the machine has logged, unless it doesn't answer any more. */
async function keepLog(machine: Machine, file: string): Promise<void> {
  try {
    const script =
      'journalctl --no-pager --boot | tail -n 3000; ip address; ip rule; ip route show table all; nft list ruleset; resolvectl'
    const { output } = await machine.run('root', script)
    await writeFile(file, output)
  } catch (error) {
    await writeFile(file, String(error))
  }
}

if (isStarted(import.meta.url)) {
  answerHelp(
    'Usage: npx tsx scripts/whole-debian/test.ts [12|13] [FOLDER]\n\nRuns Causeway in a whole Debian 12 or 13 in a virtual machine, as npm run test:nightly does; without a number, in one after the other. FOLDER keeps the Debian for the next run.',
  )
  const words = process.argv.slice(2)
  const chosen = releases.filter(({ number }) => String(number) === words[0])
  const [folder] = chosen.length > 0 ? words.slice(1) : words
  await setUp(['tunnel', 'virtualMachine', 'container', 'wholeDebian'])
  await exitWith(async () => {
    let status = 0
    for (const release of chosen.length > 0 ? chosen : releases)
      status = (await testWholeDebian(release, folder)) || status
    return status
  })
}
