import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Numbers of requests and events, from the protocols' XML. */
const display = { id: 1, sync: 0, getRegistry: 1 } as const
const registry = { id: 2, bind: 0, global: 0 } as const
const manager = { createPointer: 0, name: 'zwlr_virtual_pointer_manager_v1' } as const
const device = { moveTo: 1, button: 2, frame: 4 } as const

/** The left button, as the kernel numbers it. */
const leftButton = 0x110

/** A place on the screen, in the compositor's pixels. */
export interface ScreenPoint {
  readonly x: number
  readonly y: number
}

/** A mouse of a Wayland compositor without one, by the protocol of wlroots for virtual pointers. */
export class WaylandPointer {
  readonly #socket: Socket
  readonly #screen: ScreenPoint
  #received = Buffer.alloc(0)
  /** The compositor takes no gaps between ids. */
  #nextId = 3
  #device = 0
  /** The milliseconds that the events tell: only their order counts. */
  #time = 0
  readonly #waiting = new Map<number, () => void>()
  #managerName: number | undefined

  private constructor(socket: Socket, screen: ScreenPoint) {
    this.#socket = socket
    this.#screen = screen
    socket.on('data', (chunk: Buffer) => {
      this.#read(chunk)
    })
  }

  /** Plugs in the mouse; the screen's size is what places are relative to. */
  static async plugIn(socketPath: string, screen: ScreenPoint): Promise<WaylandPointer> {
    const socket = connect(socketPath)
    await once(socket, 'connect')
    const pointer = new WaylandPointer(socket, screen)
    pointer.#send(display.id, display.getRegistry, [registry.id])
    await pointer.#done()
    if (pointer.#managerName === undefined) throw new Error(`The compositor has no ${manager.name}.`)
    const managerId = pointer.#newId()
    pointer.#send(registry.id, registry.bind, [pointer.#managerName, manager.name, 1, managerId])
    pointer.#device = pointer.#newId()
    // Of the only seat.
    pointer.#send(managerId, manager.createPointer, [0, pointer.#device])
    await pointer.#done()
    return pointer
  }

  async moveTo({ x, y }: ScreenPoint): Promise<void> {
    const place = [Math.round(x), Math.round(y), this.#screen.x, this.#screen.y]
    await this.#happen(device.moveTo, place)
  }

  async press(): Promise<void> {
    await this.#happen(device.button, [leftButton, 1])
  }

  async release(): Promise<void> {
    await this.#happen(device.button, [leftButton, 0])
  }

  async click(at: ScreenPoint): Promise<void> {
    await this.moveTo(at)
    await this.press()
    await this.release()
  }

  unplug(): void {
    this.#socket.destroy()
  }

  async #happen(request: number, words: readonly number[]): Promise<void> {
    this.#time += 20
    this.#send(this.#device, request, [this.#time, ...words])
    this.#send(this.#device, device.frame, [])
    await this.#done()
  }

  #newId(): number {
    const id = this.#nextId
    this.#nextId += 1
    return id
  }

  /** Resolves when the compositor has handled everything that was sent. */
  #done(): Promise<void> {
    const id = this.#newId()
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve)
      this.#send(display.id, display.sync, [id])
    })
  }

  #send(object: number, request: number, words: readonly (number | string)[]): void {
    const body = Buffer.concat(words.map((word) => (typeof word === 'number' ? number(word) : text(word))))
    const size = body.length + 8
    this.#socket.write(Buffer.concat([number(object), number(size * 0x1_0000 + request), body]))
  }

  #read(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk])
    while (this.#received.length >= 8) {
      const head = this.#received.readUInt32LE(4)
      const size = head >>> 16
      if (this.#received.length < size) return
      this.#handle(this.#received.readUInt32LE(0), head & 0xffff, this.#received.subarray(8, size))
      this.#received = this.#received.subarray(size)
    }
  }

  #handle(object: number, event: number, body: Buffer): void {
    const done = this.#waiting.get(object)
    if (done !== undefined) {
      this.#waiting.delete(object)
      done()
    } else if (object === registry.id && event === registry.global) {
      const name = body.toString('utf8', 8, 8 + body.readUInt32LE(4) - 1)
      if (name === manager.name) this.#managerName = body.readUInt32LE(0)
    } else if (object === display.id && event === 0) {
      this.#socket.destroy(new Error(`The compositor refused a request: ${body.toString('utf8', 12)}`))
    }
  }
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

/** A length with the final zero, and the text filled up to four bytes. */
function text(value: string): Buffer {
  const bytes = Buffer.from(`${value}\0`)
  return Buffer.concat([number(bytes.length), bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])
}
