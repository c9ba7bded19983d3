import type { Launch, LaunchRequest, WaitingProgram } from '../privilege/helper-client'
import type { Privilege } from '../privilege/privilege'
import type { Launchers } from './launchers'
import type { TunnelOptions } from './tunnel'

interface Ready {
  readonly command: LaunchRequest['command']
  readonly mode: TunnelOptions['mode']
  readonly begun: Promise<Begun | undefined>
}

/** A program that was started before its tunnel is granted. */
interface Begun {
  /** With the rights of this process. */
  readonly isDirect: boolean
  readonly program: WaitingProgram
}

/** Keeps at most one program that waits for the configuration of the next tunnel. */
export class ReadyProgram {
  readonly #launchers: Launchers
  readonly #wantsKillSwitch: Privilege['wantsKillSwitch']
  #ready: Ready | undefined

  constructor(launchers: Launchers, wantsKillSwitch: Privilege['wantsKillSwitch']) {
    this.#launchers = launchers
    this.#wantsKillSwitch = wantsKillSwitch
  }

  /** Starts a program that waits. Returns a function that ends it, unless a tunnel has taken it. */
  start(command: LaunchRequest['command'], mode: TunnelOptions['mode']): () => Promise<void> {
    if (this.#ready?.command !== command || this.#ready.mode !== mode) {
      void this.#end(this.#ready)
      // Opening the tunnel meets the same errors, if they still have a reason.
      this.#ready = { command, mode, begun: this.#begin(command, mode).catch(() => undefined) }
    }
    const mine = this.#ready
    return () => this.#end(mine)
  }

  /** Returns the program that waits if it is what this launcher would start; ends any other. */
  async take(command: LaunchRequest['command'], launch: Launch): Promise<WaitingProgram | undefined> {
    const taken = this.#ready
    this.#ready = undefined
    const begun = await taken?.begun
    if (begun === undefined) return undefined
    const { isDirect, program } = begun
    const isWanted = taken?.command === command && isDirect === (launch === this.#launchers.direct)
    if (isWanted && program.isRunning()) return program
    await program.end()
    return undefined
  }

  async #begin(command: LaunchRequest['command'], mode: TunnelOptions['mode']): Promise<Begun | undefined> {
    const killSwitch = mode === 'full' && (await this.#wantsKillSwitch())
    const launch = await this.#launchers.find(command, mode, killSwitch)
    const program = await launch.begin?.(command)
    return program && { isDirect: launch === this.#launchers.direct, program }
  }

  async #end(mine: Ready | undefined): Promise<void> {
    if (mine === undefined || this.#ready !== mine) return
    this.#ready = undefined
    await (await mine.begun)?.program.end()
  }
}
