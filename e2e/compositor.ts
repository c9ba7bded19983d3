import { once } from 'node:events'
import { chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator } from '@playwright/test'
import { execa, type ResultPromise } from 'execa'
import { z } from 'zod'
import { expect } from './fixtures'
import { needPrograms } from './needed-programs'
import { WaylandPointer, type ScreenPoint } from './wayland-pointer'

/** A place for windows above each other, without another compositor's window around them and without X11. */
const settings = `
xwayland disable
output HEADLESS-1 resolution 1280x900 scale 1
for_window [app_id=".*"] floating enable
default_border none
focus_follows_mouse no
`

/** The title of the app's window, which names the state. */
export const causewayTitle = /Causeway/

/** Sway refuses to run as root. */
const nobody = 65_534

const area = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })

interface TreeNode {
  readonly app_id?: string | null | undefined
  readonly name: string | null
  readonly pid?: number | undefined
  readonly focused: boolean
  readonly urgent: boolean
  readonly rect: z.infer<typeof area>
  readonly nodes: readonly TreeNode[]
  readonly floating_nodes: readonly TreeNode[]
}

const tree: z.ZodType<TreeNode> = z.lazy(() =>
  z.object({
    app_id: z.string().nullish(),
    name: z.string().nullable(),
    pid: z.number().optional(),
    focused: z.boolean(),
    urgent: z.boolean(),
    rect: area,
    nodes: z.array(tree),
    floating_nodes: z.array(tree),
  }),
)

/** The compositor sway, without a graphics card, a screen or X11, with a mouse and a keyboard that the test uses. */
export class Compositor {
  /** For programs that are to show windows there. */
  readonly env: Readonly<Record<string, string>>
  readonly pointer: WaylandPointer
  readonly #folder: string
  readonly #end: () => Promise<void>

  private constructor(folder: string, socket: string, pointer: WaylandPointer, end: () => Promise<void>) {
    this.#folder = folder
    this.env = waylandOnly(socket)
    this.pointer = pointer
    this.#end = end
  }

  static async start(): Promise<Compositor> {
    needPrograms({ sway: 'sway', grim: 'grim', wtype: 'wtype', 'wl-paste': 'wl-clipboard' })
    const folder = await mkdtemp(join(tmpdir(), 'causeway-wayland-'))
    const config = join(folder, 'config')
    await writeFile(config, settings)
    const run = join(folder, 'run')
    await mkdir(run, { mode: 0o700 })
    const isRoot = process.getuid?.() === 0
    if (isRoot) for (const path of [folder, run]) await chown(path, nobody, nobody)
    const drop = isRoot ? ['setpriv', `--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups'] : []
    const [program, ...words] = [...drop, 'sway', '-c', config]
    const child = execa(program, words, {
      env: {
        XDG_RUNTIME_DIR: run,
        XDG_CACHE_HOME: run,
        WLR_BACKENDS: 'headless',
        WLR_LIBINPUT_NO_DEVICES: '1',
        WLR_RENDERER: 'pixman',
      },
      stdin: 'ignore',
      all: true,
      reject: false,
    })
    const exited = once(child, 'exit')
    let keyboard: ResultPromise | undefined
    const end = async () => {
      keyboard?.kill()
      child.kill()
      await exited
      await keyboard
      await rm(folder, { recursive: true, force: true })
    }
    try {
      const socket = join(run, await fileIn(run, /^wayland-\d+$/))
      const pointer = await WaylandPointer.plugIn(socket, { x: 1280, y: 900 })
      const compositor = new Compositor(folder, socket, pointer, end)
      // A program notices a first keyboard too late for its first key: this one stays plugged in.
      keyboard = execa('wtype', ['-s', '3600000', 'a'], {
        env: compositor.env,
        stdio: 'ignore',
        reject: false,
      })
      await expect.poll(() => compositor.#sway(['-t', 'get_inputs'])).toContain('"keyboard"')
      return compositor
    } catch (error) {
      await end()
      throw error
    }
  }

  /** Gives sway a command, as its settings have them. */
  async command(...words: readonly string[]): Promise<void> {
    await this.#sway(words)
  }

  /** Returns the windows that it shows. */
  async windows(): Promise<readonly TreeNode[]> {
    const found: TreeNode[] = []
    const look = (node: TreeNode): void => {
      if (node.pid !== undefined) found.push(node)
      for (const each of [...node.nodes, ...node.floating_nodes]) look(each)
    }
    look(tree.parse(JSON.parse(await this.#sway(['-t', 'get_tree']))))
    return found
  }

  /** Waits for a window with this title, and returns it. */
  async window(title: string | RegExp): Promise<TreeNode> {
    const titled = async () =>
      (await this.windows()).find(({ name }) =>
        typeof title === 'string' ? name === title : title.test(name ?? ''),
      )
    await expect.poll(titled, `a window ${String(title)}`).toBeDefined()
    const found = await titled()
    if (found === undefined) throw new Error(`The window ${String(title)} was closed again.`)
    return found
  }

  /** Returns the middle of an element of the page in the window with this title, below its menu bar. */
  async middleOf(element: Locator, title: string | RegExp = causewayTitle): Promise<ScreenPoint> {
    await element.scrollIntoViewIfNeeded()
    const box = await element.boundingBox()
    if (box === null) throw new Error('The element is not shown.')
    const { rect } = await this.window(title)
    const height = await element.page().evaluate<number>('innerHeight')
    return {
      x: rect.x + box.x + box.width / 2,
      y: rect.y + rect.height - height + box.y + box.height / 2,
    }
  }

  /** Clicks an element with the mouse of the compositor. */
  async click(element: Locator): Promise<void> {
    await this.pointer.click(await this.middleOf(element))
  }

  /** Types with a keyboard of the compositor; the words are those of wtype. */
  async type(...words: readonly string[]): Promise<void> {
    await execa('wtype', words, { env: this.env })
  }

  /** Returns what a person pastes elsewhere. */
  async pasted(): Promise<string> {
    const { stdout } = await execa('wl-paste', ['--no-newline'], { env: this.env, reject: false })
    return stdout
  }

  /** Returns the colour of a point of the screen. */
  async colour({ x, y }: ScreenPoint): Promise<string> {
    const region = `${Math.round(x)},${Math.round(y)} 1x1`
    const { stdout } = await execa('grim', ['-t', 'ppm', '-s', '1', '-g', region, '-'], {
      env: this.env,
      encoding: 'buffer',
    })
    return `#${Buffer.from(stdout.subarray(-3)).toString('hex')}`
  }

  /** Writes what the screen shows to a file. */
  async picture(path: string): Promise<void> {
    await execa('grim', [path], { env: this.env })
  }

  async end(): Promise<void> {
    this.pointer.unplug()
    await this.#end()
  }

  async #sway(words: readonly string[]): Promise<string> {
    const run = join(this.#folder, 'run')
    const socket = join(run, await fileIn(run, /^sway-ipc\..*\.sock$/))
    const { stdout } = await execa('swaymsg', ['-r', '-s', socket, ...words])
    return stdout
  }
}

/** The environment of a session with Wayland alone. */
function waylandOnly(socket: string): Record<string, string> {
  return { DISPLAY: '', WAYLAND_DISPLAY: socket, XDG_SESSION_TYPE: 'wayland' }
}

/** Waits for a file with such a name. */
async function fileIn(folder: string, name: RegExp): Promise<string> {
  const find = async () => (await readdir(folder)).find((each) => name.test(each))
  await expect.poll(find, { timeout: 30_000 }).toBeDefined()
  return (await find()) ?? ''
}
