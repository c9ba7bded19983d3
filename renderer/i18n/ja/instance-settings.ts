import type { Translation } from '../translation'

/** The settings of one instance. */
export const instanceSettings: Translation['settings']['instance'] = {
  change: '設定',
  changeOf: '{{instance}} の設定',
  title: '{{instance}} の設定',
  text: '空欄にすると、サービスが示す値を使います。',
  loading: '設定を読み込んでいます',
  notOffered: 'サービスからの提供はありません',
  notKnown: '現在サービスに問い合わせできません',
  clientId: 'クライアント ID',
  clientIdText: 'Causeway がログインに使う名前です。変更したら、もう一度ログインしてください。',
  attachments: '添付のアドレス',
  content: 'ニュースのアドレス',
  organizations: '組織のアドレス',
  userId: 'ユーザー ID',
  userIdText: '利用者を自動で識別しない添付サービスで使います。',
  roles: 'そこでの役割',
  role: {
    ADMINISTRATOR: '管理者',
    CONTRIBUTOR: '投稿者',
    MEMBER: 'メンバー',
  },
  save: '保存',
  cancel: 'キャンセル',
  saved: '保存しました。',
  invalid: {
    address: 'この値は使えません。https:// で始まり、ユーザー名、?、# を含まないアドレスを入力してください。',
    clientId: 'この値は使えません。org.example.app のような、サービスに登録された ID を入力してください。',
    userId: 'この値は使えません。空白を含まない文字、数字、記号を 255 文字以内で入力してください。',
  },
}
