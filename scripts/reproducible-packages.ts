import { hash } from 'node:crypto'
import { mkdir, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { execa } from 'execa'
import { answerHelp } from './help'
import { inTemporaryFolder, isStarted } from './program'

const usage = `Usage: tsx scripts/reproducible-packages.ts [TARGET…]

Makes packages twice, from copies of this tree in different folders, with another umask, time zone and language, and compares them
byte for byte. The targets are those of npm run dist, and mock for the package of the mock server (default: cli-deb cli-rpm mock).`

const tree = join(import.meta.dirname, '..')

/** What may differ between two computers that make the same release. rpmbuild takes no folder with a space. */
const circumstances = [
  { folder: 'one', umask: '022', env: { TZ: 'UTC', LC_ALL: 'C' } },
  { folder: 'another-folder/two', umask: '077', env: { TZ: 'Pacific/Auckland', LC_ALL: 'C.UTF-8' } },
] as const

/** Of 20 November 2026; any one will do. */
const epoch = '1795176000'

/**
 * Makes the targets twice, and returns in words what differs.
 *
 * @throws ExecaError if a package can't be made
 */
export async function compareBuilds(targets: readonly string[]): Promise<string[]> {
  return inTemporaryFolder('twice', async (folder) => {
    const made: string[] = []
    for (const each of circumstances) made.push(await make(targets, join(folder, each.folder), each))
    const [one = '', two = ''] = made
    const [first, second] = await Promise.all([one, two].map(packagesIn))
    if (first === undefined || second === undefined || first.length < targets.length)
      throw new Error(`Only these packages were made: ${String(first)}.`)
    const alone = first.filter((name) => !second.includes(name))
    const differing = await Promise.all(
      first.map(async (name) => {
        const [a, b] = [join(one, name), join(two, name)]
        if ((await readFile(a)).equals(await readFile(b).catch(() => Buffer.alloc(0)))) {
          console.log(`${await hashOf(a)}  ${name}`)
          return []
        }
        return [`${name} differs${await differences(folder, a, b)}`]
      }),
    )
    return [...alone.map((name) => `${name} was made once`), ...differing.flat()]
  })
}

async function make(
  targets: readonly string[],
  folder: string,
  { umask, env }: (typeof circumstances)[number],
): Promise<string> {
  await mkdir(folder, { recursive: true })
  const copy = `set -e
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$0" --
mkdir "$0/node_modules"
for each in node_modules/* node_modules/.[!.]*; do
  [ "$each" = node_modules/.cache ] || cp -al "$each" "$0/node_modules" 2>/dev/null || cp -a "$each" "$0/node_modules"
done`
  await execa('sh', ['-c', copy, folder], { cwd: tree })
  const run = async (...words: string[]) => {
    await execa('sh', ['-c', `umask ${umask}; exec npm run --silent "$@"`, 'sh', ...words], {
      cwd: folder,
      env: { ...env, SOURCE_DATE_EPOCH: epoch },
      stdout: 'ignore',
      stderr: 'inherit',
    })
  }
  const packages = targets.filter((target) => target !== 'mock')
  if (packages.length > 0) await run('dist', '--', ...packages)
  if (targets.includes('mock')) await run('pack:mock')
  return join(folder, 'dist')
}

/** Returns the paths of the packages and of their lists of components below a folder. */
async function packagesIn(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true })
  return all
    .filter((name) => /\.(deb|rpm|tgz|tar\.gz|cdx\.json)$/.test(name) && !name.includes('unpacked'))
    .sort()
}

async function hashOf(file: string): Promise<string> {
  return hash('sha256', await readFile(file))
}

/** Returns which files in two packages differ, as far as tar knows the format. */
async function differences(folder: string, ...packages: readonly [string, string]): Promise<string> {
  const lists = await Promise.all(
    packages.map(async (path, at) => {
      const unpacked = await mkdtemp(join(folder, `unpacked-${at}-`))
      const words = path.endsWith('.deb')
        ? ['dpkg-deb', '-R', path, unpacked]
        : ['tar', '-xf', path, '-C', unpacked]
      const { failed } = await execa(words[0] ?? '', words.slice(1), { reject: false })
      if (failed) return []
      const differences = await readdir(unpacked, { recursive: true, withFileTypes: true })
      const files = differences
        .filter((each) => each.isFile())
        .map((each) => join(each.parentPath, each.name))
      return Promise.all(files.map(async (file) => `${relative(unpacked, file)} ${await hashOf(file)}`))
    }),
  )
  const [first = [], second = []] = lists
  const names = first.filter((line) => !second.includes(line)).map((line) => line.replace(/ \S+$/, ''))
  return names.length === 0 ? ' in modes, times or their order' : `: ${names.join(', ')}`
}

if (isStarted(import.meta.url)) {
  answerHelp(usage)
  const targets = process.argv.slice(2)
  const found = await compareBuilds(targets.length === 0 ? ['cli-deb', 'cli-rpm', 'mock'] : targets)
  for (const line of found) console.error(line)
  process.exitCode = found.length === 0 ? 0 : 1
}
