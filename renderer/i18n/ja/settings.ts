import type { Translation } from '../translation'
import { instanceSettings } from './instance-settings'

export const settings: Translation['settings'] = {
  title: '設定',
  general: '全般',
  language: '言語',
  languageText: 'Causeway の表示に使う言語です。サービスのテキストも、その言語のものがあれば表示されます。',
  languageSystem: 'システムに合わせる',
  theme: 'テーマ',
  themeText: 'ライト、ダーク、またはシステムに合わせます。',
  themeSystem: 'システムに合わせる',
  themeLight: 'ライト',
  themeDark: 'ダーク',
  connection: '接続',
  reconnect: {
    label: '再接続',
    text: '切れたトンネルを自動で作り直します。別のネットワークに移ったときや、スリープの後も同様です。',
  },
  killSwitch: {
    label: 'キルスイッチ',
    text: 'トンネルが切れている間、すべての通信をブロックし、トンネルの外に何も出ないようにします。切断するか「通信を許可」を押すと解除されます。次の接続から有効になります。',
    missing: {
      'no-helper':
        'Causeway のヘルパーが必要です。ターミナルで「causeway helper install」を実行してください。',
      'no-nft': 'nftables が必要ですが、このコンピューターにはインストールされていません。',
      'not-on-this-system': 'このシステムでは Causeway のキルスイッチを利用できません。',
    },
  },
  remoteStrategy: {
    label: '試すサーバー',
    text: 'プロファイルのサーバーとポートのうち、どれに接続を試みるかを選びます。',
    first: '種類ごとに最初のポート',
    random: '種類ごとにランダムなポート',
    all: 'すべて',
  },
  preferTcp: {
    label: 'TCP のみ使用',
    text: 'UDP を通さないネットワーク向けです。速度は下がり、TCP サーバーのないプロファイルでは接続できません。',
  },
  autoConnect: {
    label: 'Causeway の起動時に接続',
    text: '前回使用したプロファイルに接続します。先にログインが必要な場合はお知らせします。',
  },
  startAtLogin: {
    label: 'コンピューターへのサインイン時に起動',
    text: 'Causeway はトレイで起動します。トレイがない場合は最小化されます。',
  },
  closeToTray: {
    label: 'ウィンドウを閉じても動作を続ける',
    text: 'デスクトップにトレイがあれば、Causeway は接続を保ったままトレイに残ります。そのメニューの「終了」で終了します。',
  },
  notifications: {
    label: '通知',
    text: 'ほかの作業をしている間の、接続、切断、ログインの期限、新着メッセージをお知らせします。',
  },
  openvpnPath: {
    label: 'OpenVPN',
    text: 'トンネルを作るプログラムです。',
    detected: '自動で検出',
    choose: '選択…',
    detect: '自動で検出する',
  },
  instances: 'サービス',
  noInstances: 'まだありません。「接続」で追加してください。',
  remove: '削除',
  removeQuestion: '{{instance}} を削除しますか？このコンピューターから、ログインと鍵が消去されます。',
  removeConfirm: '{{instance}} を削除',
  keep: '残す',
  instance: instanceSettings,
  support: 'サポート',
  supportText:
    'サポート担当者に渡す情報です。バージョン、設定、不足しているもの、ログの末尾が含まれます。パスワード、鍵、ネットワークアドレス、お名前は含まれません。',
  supportCopy: 'サポート用にコピー',
  supportCopied: 'コピーしました。担当者へのメッセージに貼り付けてください。',
}
