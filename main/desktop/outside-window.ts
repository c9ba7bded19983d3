import { app, type BrowserWindow } from 'electron'
import { setTimeout as delay } from 'node:timers/promises'
import type { CommandName } from '../../contract/commands'
import { connectTarget } from '../../contract/connection'
import type { View } from '../../contract/views'
import type { AppModel } from './app-model'
import type { AppServices } from './app-services'
import { isFirstTime, stayInTray } from './closing'
import { ConnectionNotices, type Tell } from './connection-notices'
import { logDefect } from './defect'
import type { MenuAction } from './desktop-menu'
import { desktopNotifications } from './desktop-notifications'
import type { Dispatch } from './dispatch'
import { keepMenu } from './menu'
import { Poller, type ListOfInstance } from './poller'
import { messageText } from './message-notices'
import { AppTray } from './tray'
import { hasTray } from './tray-host'
import type { TrayAction } from './tray-view'

export interface OutsideWindow {
  /** To be called with each window that opens. */
  readonly follow: (opened: BrowserWindow) => void
  /** To be called each time when the person comes to the window. */
  readonly arrived: () => void
  readonly tell: Tell
  /** The computer has woken up. */
  readonly resumed: () => void
  /** From now on there is a menu, and the app's mark in the tray where there is one. */
  readonly show: () => void
  /** The same for a start at login, when the app may be there before the panel with the tray is. */
  readonly waitForTray: () => Promise<boolean>
  readonly dispose: () => void
}

/** What the app shows and does outside of its window: tray, menu, notifications, and staying when that is closed. */
export function outsideWindow(options: {
  readonly model: AppModel
  readonly connection: AppServices['connection']
  readonly dispatch: Dispatch
  readonly toFront: () => void
  readonly isQuitting: () => boolean
  /** Whether the person is asked before the app ends, who may want it to stay. */
  readonly asksBeforeQuitting: () => boolean
  readonly dataDirectory: string
}): OutsideWindow {
  const { model, connection, dispatch, toFront, isQuitting, asksBeforeQuitting, dataDirectory } = options

  /** What fails is in the state, in a notification where that is worth one, and in the log. */
  function run(name: CommandName, input?: unknown): void {
    void dispatch(name, input)
  }

  function goTo(view: View): void {
    model.goTo(view)
    toFront()
  }

  const showOnDesktop = desktopNotifications(goTo)
  const tell: Tell = (text, view) => {
    if (!model.state().settings.notifications || model.state().inFront) return
    showOnDesktop(text, view)
  }

  function actOfTray(action: TrayAction): void {
    switch (action.does) {
      case 'connect':
        run('connect', { instanceId: action.instanceId, profileId: action.profileId })
        return
      case 'disconnect':
        run('disconnect')
        return
      case 'renew':
        run('renewSession', { instanceId: action.instanceId })
        return
      case 'show':
        toFront()
        return
      case 'quit':
        app.quit()
    }
  }

  function actOfMenu(action: MenuAction): void {
    switch (action) {
      case 'connect':
        run('connect', connectTarget(model.state()))
        return
      case 'disconnect':
        run('disconnect')
        return
      case 'copy-for-support':
        run('copySupportReport')
        return
      default:
        goTo(action.go)
    }
  }

  const tray = new AppTray(model, actOfTray)

  async function lookForTray(): Promise<boolean> {
    const there = await hasTray(process.platform)
    if (isQuitting()) return there
    if (there) tray.show()
    else tray.hide()
    return there
  }

  async function sayThatItStays(): Promise<void> {
    const { t } = model.language
    if (!(await isFirstTime('stays-in-tray', { dataDirectory, now: () => new Date() }))) return
    tell({ title: t('desktop.tray.staysTitle'), body: t('desktop.tray.staysText') }, 'settings')
  }

  const listed = (list: 'messages' | 'profiles') => (): ListOfInstance[] =>
    model.state().instances.map(({ id, login, [list]: { status } }) => ({ id, login, status }))
  const rounds = new Poller({
    lists: listed('messages'),
    refresh: (instanceId) => model.instance(instanceId).refreshMessages(),
    now: () => performance.now(),
    after,
  })
  const profileRounds = new Poller({
    lists: listed('profiles'),
    refresh: (instanceId) => model.instance(instanceId).lookForProfiles(),
    now: () => performance.now(),
  })
  const connectionNotices = new ConnectionNotices({ t: () => model.language.t, tell, after })
  const stops = [
    model.onChange(({ instances }) => {
      if (instances === undefined) return
      rounds.see()
      profileRounds.see()
    }),
    model.instances.onNewMessages((news) => {
      tell(messageText(news, model.language.t), 'messages')
    }),
    connection.onChange((state) => {
      connectionNotices.see(state)
      if (state.state === 'connected') rounds.connected(state.target.instanceId)
    }),
  ]

  return {
    follow: (opened) => {
      const left = (): void => {
        model.setInFront(false)
      }
      opened.on('blur', left)
      opened.on('hide', left)
      opened.on('closed', left)
      opened.on('closed', () => {
        model.setShownInstance(undefined)
      })
      stayInTray(opened, {
        closesToTray: () => model.state().settings.closeToTray,
        isQuitting,
        // On macOS closing ends nothing.
        asksBeforeQuitting: () => process.platform !== 'darwin' && asksBeforeQuitting(),
        lookForTray,
        quit: () => {
          app.quit()
        },
        onStays: () => {
          sayThatItStays().catch(logDefect)
        },
      })
    },
    arrived: () => {
      model.setInFront(true)
      rounds.look()
      profileRounds.look()
      if (!tray.isThere) void lookForTray()
    },
    tell,
    resumed: () => {
      rounds.look()
    },
    show: () => {
      stops.push(keepMenu(model, actOfMenu))
      void lookForTray()
    },
    waitForTray: async () => {
      for (let looks = 0; looks < 10; looks += 1) {
        if (await lookForTray()) return true
        await delay(1000)
      }
      return false
    },
    dispose: () => {
      for (const stop of stops) stop()
      rounds.dispose()
      profileRounds.dispose()
      connectionNotices.dispose()
      tray.dispose()
    },
  }
}

/** Nobody waits for it to end the process. */
function after(milliseconds: number, then: () => void): () => void {
  const timer = setTimeout(then, milliseconds).unref()
  return () => {
    clearTimeout(timer)
  }
}
