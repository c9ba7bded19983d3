import { app, type BrowserWindow } from 'electron'
import { setTimeout as delay } from 'node:timers/promises'
import type { CommandName } from '../../../contract/commands'
import { connectTarget, unattendedTarget } from '../../../contract/connection-summary'
import type { View } from '../../../contract/views'
import type { AppModel } from '../../commands/models/app-model'
import type { Services } from '../../app/services'
import { isFirstTime, stayInTray } from '../window/closing'
import { ConnectionNotices, type Notify } from './connection-notices'
import { logDefect } from '../defect'
import type { MenuAction } from './desktop-menu'
import { desktopNotifications } from './desktop-notifications'
import type { Dispatch } from '../../commands/dispatch'
import { keepMenu } from './menu'
import { polledLists } from './polled-lists'
import { Poller } from './poller'
import { messageText } from './message-notices'
import { AppTray } from './tray'
import { hasTray } from './tray-host'
import type { TrayAction } from './tray-view'
import { after } from '../../timer'

export interface OutsideWindow {
  /** Handles a window that opens. */
  readonly follow: (opened: BrowserWindow) => void
  /** Handles the focus of the window. */
  readonly arrived: () => void
  readonly notify: Notify
  /** Handles a wake-up of the computer. */
  readonly resumed: () => void
  /** Connects to the last profile. Without one, brings the window to the front. */
  readonly connect: () => void
  /** Shows the menu, and the icon in the tray if there is one. */
  readonly show: () => void
  /** Waits for a tray, because an app that starts at login may be ready before the desktop's panel. */
  readonly waitForTray: () => Promise<boolean>
  readonly dispose: () => void
}

interface OutsideWindowOptions {
  readonly model: AppModel
  readonly connection: Services['connection']
  readonly dispatch: Dispatch
  readonly toFront: () => void
  readonly isQuitting: () => boolean
  /** Returns true if quitting now would ask the user first. */
  readonly asksBeforeQuitting: () => boolean
  readonly dataDirectory: string
}

/** Manages the parts of the app outside its window: tray, menu, notifications, and staying open when the window closes. */
export function outsideWindow(options: OutsideWindowOptions): OutsideWindow {
  const { model, connection, dispatch, toFront, isQuitting } = options
  const goTo = (view: View): void => {
    model.goTo(view)
    toFront()
  }
  const showOnDesktop = desktopNotifications(goTo)
  const notify: Notify = (text, view) => {
    if (!model.state().settings.notifications || model.state().inFront) return
    showOnDesktop(text, view)
  }
  const actions = desktopActions({ model, dispatch, toFront, goTo, notify })
  const tray = new AppTray(model, actions.ofTray)
  const lookForTray = async (): Promise<boolean> => {
    const there = await hasTray(process.platform)
    if (isQuitting()) return there
    if (there) tray.show()
    else tray.hide()
    return there
  }
  const pollers = listPollers(model)
  const stops = [follow(model, connection, pollers, notify)]

  return {
    follow: (opened) => {
      followWindow(opened, { ...options, notify, lookForTray })
    },
    arrived: () => {
      model.setInFront(true)
      pollers.messages.refreshOld()
      pollers.profiles.refreshOld()
      if (!tray.isThere) void lookForTray()
    },
    notify,
    resumed: () => {
      pollers.messages.refreshOld()
    },
    connect: () => {
      const target = unattendedTarget(model.state())
      if (target === undefined) goTo('connection')
      else void dispatch('connect', target)
    },
    show: () => {
      stops.push(keepMenu(model, actions.ofMenu))
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
      pollers.messages.dispose()
      pollers.profiles.dispose()
      tray.dispose()
    },
  }
}

/** Returns what tray and menu do. Errors of commands appear in the state, in notifications and in the log. */
function desktopActions({
  model,
  dispatch,
  toFront,
  goTo,
  notify,
}: Pick<OutsideWindowOptions, 'model' | 'dispatch' | 'toFront'> & {
  readonly goTo: (view: View) => void
  readonly notify: Notify
}) {
  async function runOfTray(name: CommandName, input: unknown): Promise<void> {
    // Its dialog is in front of the window.
    if (name === 'setOpenVpn') toFront()
    const result = await dispatch(name, input)
    if (result.ok || name === 'connect' || name === 'renewSession') return
    // The window may be closed.
    const { what, todo } = model.language.errorText(result.error)
    notify({ title: what, body: todo }, 'connection')
  }
  return {
    ofTray: (action: TrayAction): void => {
      if (action === 'show') toFront()
      else if (action === 'quit') app.quit()
      else if ('view' in action) goTo(action.view)
      else void runOfTray(action.name, action.input)
    },
    ofMenu: (action: MenuAction): void => {
      switch (action) {
        case 'connect':
          void dispatch('connect', connectTarget(model.state()))
          return
        case 'disconnect':
          void dispatch('disconnect', undefined)
          return
        case 'copy-for-support':
          void dispatch('copySupportReport', undefined)
          return
        default:
          goTo(action.go)
      }
    },
  }
}

type Pollers = ReturnType<typeof listPollers>

function listPollers(model: AppModel) {
  return {
    messages: new Poller({
      lists: () => polledLists(model.state(), 'messages'),
      refresh: (instanceId) => model.instance(instanceId).refreshMessages(),
      now: () => Date.now(),
      after,
    }),
    profiles: new Poller({
      lists: () => polledLists(model.state(), 'profiles'),
      refresh: (instanceId) => model.instance(instanceId).lookForProfiles(),
      now: () => Date.now(),
    }),
  }
}

/** Notifies of the connection and of new messages; returns a function that ends this. */
function follow(
  model: AppModel,
  connection: Services['connection'],
  pollers: Pollers,
  notify: Notify,
): () => void {
  const connectionNotices = new ConnectionNotices({
    t: () => model.language.t,
    locale: () => model.language.wording.locale,
    errorText: (error) => model.language.errorText(error),
    notify,
    after,
  })
  const stops = [
    model.onChange(({ instances }) => {
      if (instances === undefined) return
      pollers.messages.noteLoading()
      pollers.profiles.noteLoading()
    }),
    model.instances.onNewMessages((news) => {
      notify(messageText(news, model.language.t, model.state().instances), 'messages')
    }),
    connection.onChange((state) => {
      connectionNotices.onState(state, model.state().instances)
      if (state.state === 'connected') pollers.messages.connected(state.target.instanceId)
    }),
  ]
  return () => {
    for (const stop of stops) stop()
    connectionNotices.dispose()
  }
}

function followWindow(
  opened: BrowserWindow,
  {
    model,
    isQuitting,
    asksBeforeQuitting,
    dataDirectory,
    notify,
    lookForTray,
  }: OutsideWindowOptions & { readonly notify: Notify; readonly lookForTray: () => Promise<boolean> },
): void {
  const onHidden = (): void => {
    model.setInFront(false)
  }
  opened.on('blur', onHidden)
  opened.on('hide', onHidden)
  opened.on('closed', onHidden)
  const sayThatItStays = async (): Promise<void> => {
    const { t } = model.language
    if (!(await isFirstTime('stays-in-tray', { dataDirectory, now: () => new Date() }))) return
    notify({ title: t('desktop.tray.staysTitle'), body: t('desktop.tray.staysText') }, 'settings')
  }
  stayInTray(opened, {
    closesToTray: () => model.state().settings.closeToTray,
    isQuitting,
    // On macOS closing the window doesn't quit the app.
    asksBeforeQuitting: () => process.platform !== 'darwin' && asksBeforeQuitting(),
    lookForTray,
    quit: () => {
      app.quit()
    },
    onStays: () => {
      sayThatItStays().catch(logDefect)
    },
  })
}
