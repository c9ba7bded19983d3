import type { Translation } from '../translation'
import { attachments } from './attachments'
import { connection } from './connection'
import { desktop } from './desktop'
import { doctor } from './doctor'
import { errors } from './errors'
import { news } from './news'
import { organization } from './organization'
import { settings } from './settings'

/** The texts in Japanese. */
export const texts: Translation = {
  navigation: {
    label: '画面の切り替え',
    skip: '本文へ移動',
    connection: '接続',
    messages: 'メッセージ',
    attachments: '添付',
    news: 'ニュース',
    organization: '組織',
    settings: '設定',
    doctor: '診断',
  },
  connection,
  instance: {
    choose: 'サービス',
    welcomeTitle: 'VPN サービスを追加',
    welcomeText:
      '所属する組織から案内されたアドレスを入力してください。追加すると、ここにプロファイルが表示されます。',
    welcomeWhat: 'Causeway は、このコンピューターを所属する組織の VPN に接続します。',
    nextTitle: '次の手順',
    nextBrowser: '「ログイン」を押します。ブラウザーが開くので、ログインして Causeway を承認してください。',
    nextProfiles: 'ここにプロファイルが表示されます。その「接続」を押してください。',
    address: 'アドレス',
    addressHint: '例: vpn.example.org',
    add: 'サービスを追加',
    addAnother: '別のサービスを追加',
    notNow: '後で',
    signedIn: 'ログイン済み',
    signedOut: '未ログイン',
    waiting: 'ブラウザーでの操作を待っています。ブラウザーで Causeway を承認してから、ここに戻ってください。',
    openAgain: 'ブラウザーをもう一度開く',
    copyLink: 'リンクをコピー',
    timeLeft: '残り時間: {{time}}',
    useClientId: '保存してログイン',
    logInHint: 'ブラウザーが開きます。ログインすると、ここにプロファイルが表示されます。',
    loggedOut:
      'このコンピューターではログアウトしました。サービスには、Causeway が承認済みのアプリとしてまだ登録されています。取り消すには、{{address}} のアカウントページを開いてください。',
    logIn: 'ログイン',
    cancel: 'キャンセル',
    logOut: 'ログアウト',
    refresh: '更新',
    retry: '再試行',
    profilesOf: '{{instance}} のプロファイル',
    loading: 'プロファイルを取得しています…',
    noProfiles: '利用できるプロファイルがありません。所属する組織に問い合わせてください。',
    findProfile: 'プロファイルを検索',
    noProfileFound: 'この名前のプロファイルはありません。',
    profileInUse: '使用中',
    profileLast: '前回使用',
    profileAllTraffic: 'すべての通信が VPN を通ります',
    profileSomeTraffic: 'このネットワーク宛ての通信だけが VPN を通ります',
  },
  messages: {
    title: 'メッセージ',
    from: '{{instance}} からのメッセージ',
    unread: '未読',
    unreadCount_other: '未読メッセージ {{count, number}} 件',
    refresh: '更新',
    loading: 'メッセージを取得しています…',
    noneTitle: 'メッセージはありません',
    noneText: '計画メンテナンスなど、サービスからのお知らせがここに表示されます。',
    noInstance:
      '先に「接続」で VPN サービスを追加してください。サービスからのメッセージがここに表示されます。',
    signedOut: 'メッセージを読むには、「接続」で {{instance}} にログインしてください。',
  },
  attachments,
  news,
  organization,
  settings,
  doctor,
  offline: {
    asOf: '{{time}} 時点の情報です。現在 {{instance}} に接続できません。',
  },
  notices: {
    title: '続ける前に',
    dismiss: '了解',
  },
  error: {
    code: 'コード: {{code}}',
    serverSays: 'サーバーからの説明: {{text}}',
    directive: 'ディレクティブ: {{directive}}',
    endsAt: '{{instance}} での有効期限は {{time}} です。',
    endedAt: '{{instance}} での有効期限は {{time}} でした。',
    versions: '提供されている API のバージョン: {{versions}}',
    issuer:
      '証明書の発行元「{{issuer}}」は、このコンピューターが信頼していない認証局です。所属する組織の認証局であれば、その証明書をこのコンピューターの証明書ストアに追加するよう依頼してください。',
    clientId: '使用したクライアント ID: {{clientId}}',
    clockAhead: '時計が {{instance}} の時計より {{by}}進んでいます。',
    clockBehind: '時計が {{instance}} の時計より {{by}}遅れています。',
    busy: 'サービスが混み合っています。',
    tryAgain: '{{when}}に、もう一度お試しください。',
    credentials: {
      tokenRefused: {
        what: '組織サービスがトークンを受け付けませんでした。',
        todo: 'トークンがすべて入力されているか、有効期限が切れていないかを確認するか、サービスの運営者に新しいトークンを依頼してください。',
      },
      passwordRefused: {
        what: '組織サービスがユーザー名とパスワードを受け付けませんでした。',
        todo: '入力内容を確認して、もう一度入力してください。',
      },
      passwordWanted: {
        what: '組織サービスは、ここではトークンではなくユーザー名とパスワードを求めています。',
        todo: 'このサービスのユーザー名とパスワードを入力してください。',
      },
      tokenWanted: {
        what: '組織サービスは、ここではユーザー名とパスワードではなくトークンを求めています。',
        todo: 'このサービスのトークンを入力してください。',
      },
    },
    file: 'ファイル: {{path}}',
    boundaryTitle: 'この画面を表示できません',
    boundaryText: '接続に影響はありません。もう一度お試しください。繰り返し起きる場合は報告してください。',
    retry: '再試行',
  },
  desktop,
  errors,
}
