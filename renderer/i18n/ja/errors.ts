import type { ErrorTexts } from '../error-texts'

export const errors: ErrorTexts = {
  'internal/unexpected': {
    what: 'Causeway が想定していない状態になりました。',
    todo: 'もう一度お試しください。繰り返し起きる場合は、下のコードを添えて報告してください。',
  },
  'app/ended-unexpectedly': {
    what: '接続中または接続処理中に、Causeway が予期せず終了しました。',
    todo: 'もう一度接続してください。繰り返し起きる場合は、「設定」の「サポート用にコピー」で得た内容を所属する組織に送ってください。',
  },
  'usage/invalid-argument': {
    what: 'Causeway はこの入力を使えません。',
    todo: '内容を確認して、もう一度お試しください。',
  },
  'usage/unknown-instance': {
    what: 'このサービスは一覧から削除されています。',
    todo: 'アドレスを使って追加し直してください。',
  },
  'usage/instance-needed': {
    what: 'どのサービスを指すのかわかりません。',
    todo: '一覧から選ぶか、先に追加してください。',
  },
  'usage/no-last-connection': {
    what: '前回の接続の記録がありません。',
    todo: 'プロファイルを選んでください。',
  },
  'usage/profile-needed': {
    what: 'どのプロファイルを指すのかわかりません。',
    todo: '一覧から選んでください。',
  },

  'http/insecure-url': {
    what: 'このアドレスは安全ではありません。',
    todo: '先頭が https のアドレスを使ってください。',
  },
  'http/unreachable': {
    what: 'サーバーに接続できませんでした。',
    todo: 'ネットワークとアドレスを確認して、もう一度お試しください。',
  },
  'http/tls-failed': {
    what: 'サーバーの証明書が一致しないため、安全な接続を確立できませんでした。',
    todo: 'アドレスとこのコンピューターの時計を確認してください。ゲスト用ネットワークでは、先に Web ページを開いてログインしてください。',
  },
  'http/timed-out': {
    what: 'サーバーが時間内に応答しませんでした。',
    todo: 'しばらくしてから、または別のネットワークでお試しください。',
  },
  'http/too-large': {
    what: 'サーバーから要求を大きく超える量のデータが届いたため、Causeway は読み取りを中止しました。',
    todo: 'アドレスを確認してください。正しい場合は、サービスの運営者に連絡してください。',
  },
  'http/private-address': {
    what: 'サービスが公開インターネット上にないアドレスを指定したため、Causeway は接続しませんでした。',
    todo: 'サービスの運営者に連絡してください。',
  },
  'http/cancelled': {
    what: '要求はキャンセルされました。',
    todo: '続けるには、もう一度実行してください。',
  },

  'discovery/invalid-address': {
    what: 'これはサービスのアドレスではありません。',
    todo: '案内されたとおりに入力してください。例: vpn.example.org。',
  },
  'discovery/insecure-address': {
    what: 'このアドレスは http:// で始まるため、通信を途中で読み取られるおそれがあります。',
    todo: '先頭が https:// のアドレスを使ってください。',
  },
  'discovery/not-found': {
    what: 'このアドレスに VPN サービスはありません。',
    todo: '所属する組織にアドレスを確認してください。',
  },
  'discovery/not-json': {
    what: 'このアドレスは応答しますが、VPN サービスの応答ではありません。',
    todo: 'アドレスを確認してください。ゲスト用ネットワークでは、先に Web ページを開いてログインしてください。',
  },
  'discovery/no-vpn-api': {
    what: 'このアドレスのサービスは、Causeway が対応するバージョンを提供していません。',
    todo: 'このサービスで使えるアプリを所属する組織に確認してください。',
  },
  'discovery/unsupported-version': {
    what: 'このサービスが提供する VPN API のバージョンに、この Causeway はまだ対応していません。',
    todo: 'Causeway の新しいバージョンがないか確認するか、このサービスで使えるアプリを所属する組織に確認してください。',
  },
  'discovery/invalid-document': {
    what: 'サービスが示す情報を Causeway は利用できません。',
    todo: 'サービスの運営者に連絡してください。',
  },
  'discovery/too-many-redirects': {
    what: 'アドレスの転送が終わりなく続いています。',
    todo: 'アドレスを確認するか、サービスの運営者に連絡してください。',
  },
  'discovery/insecure-redirect': {
    what: 'アドレスが安全でない場所に転送されるため、Causeway は移動しませんでした。',
    todo: 'アドレスを確認するか、サービスの運営者に連絡してください。',
  },
  'discovery/invalid-redirect': {
    what: 'アドレスが存在しない場所に転送されます。',
    todo: 'アドレスを確認するか、サービスの運営者に連絡してください。',
  },
  'discovery/server-error': {
    what: '現在、サービス側で障害が起きています。',
    todo: 'しばらくしてから、もう一度お試しください。',
  },

  'oauth/login-required': {
    what: 'ログインの有効期限が切れました。',
    todo: '続けるには、もう一度ログインしてください。',
  },
  'oauth/access-denied': {
    what: 'ブラウザーでアクセスが拒否されました。',
    todo: 'もう一度ログインし、ブラウザーで Causeway を承認してください。',
  },
  'oauth/client-refused': {
    what: 'このサービスに Causeway が登録されていないため、まだログインできません。',
    todo: 'サービスの管理者に Causeway の登録を依頼するか、管理者から受け取ったクライアント ID を入力してください。',
  },
  'oauth/authorization-failed': {
    what: 'サービスにログインできませんでした。',
    todo: 'もう一度お試しください。繰り返し起きる場合は、サービスの運営者に連絡してください。',
  },
  'oauth/cancelled': {
    what: 'ログインはキャンセルされました。',
    todo: '続けるには、もう一度ログインしてください。',
  },
  'oauth/timed-out': {
    what: 'ブラウザーからの応答を待ちましたが、届きませんでした。',
    todo: 'もう一度ログインしてください。ブラウザーにエラーが表示される場合は、サービスの運営者に連絡してください。',
  },
  'oauth/issuer-mismatch': {
    what: '問い合わせ先と異なるサービスからの応答がブラウザーで届いたため、Causeway は使用しませんでした。',
    todo: 'もう一度ログインしてください。繰り返し起きる場合は、サービスの運営者に連絡してください。',
  },
  'oauth/invalid-callback': {
    what: 'ブラウザーからの応答に必要な情報が含まれていません。',
    todo: 'もう一度ログインしてください。',
  },
  'oauth/code-refused': {
    what: 'サービスは、直前に与えた承認を取り消しました。',
    todo: 'もう一度ログインしてください。',
  },
  'oauth/invalid-token-response': {
    what: 'ログインに対するサービスの応答を Causeway は利用できません。',
    todo: 'サービスの運営者に連絡してください。',
  },
  'oauth/server-error': {
    what: '現在、サービスのログインで障害が起きています。',
    todo: 'しばらくしてから、もう一度お試しください。ログインは保たれます。',
  },
  'oauth/browser-not-opened': {
    what: 'ブラウザーが開きませんでした。',
    todo: 'システムで既定のブラウザーを設定してから、もう一度お試しください。',
  },

  'vpn-api/refused': {
    what: 'サービスが要求を拒否しました。',
    todo: 'もう一度お試しください。繰り返し起きる場合は、サービスの運営者に連絡してください。',
  },
  'vpn-api/profile-unavailable': {
    what: 'このプロファイルは存在しないか、利用が許可されていません。',
    todo: '別のプロファイルを選ぶか、所属する組織に問い合わせてください。',
  },
  'vpn-api/server-error': {
    what: '現在、サービス側で障害が起きています。',
    todo: 'しばらくしてから、もう一度お試しください。',
  },
  'vpn-api/invalid-response': {
    what: 'サービスの応答を Causeway は利用できません。',
    todo: 'サービスの運営者に連絡してください。',
  },

  'certificate/none': {
    what: 'このコンピューターには、このサービスの証明書がまだありません。',
    todo: '一度接続すると、Causeway が証明書を取得します。',
  },
  'certificate/invalid': {
    what: 'サービスから渡された証明書が機能しません。',
    todo: 'もう一度お試しください。繰り返し起きる場合は、サービスの運営者に連絡してください。',
  },
  'certificate/clock-mismatch': {
    what: 'このコンピューターの時計では、証明書はまだ有効ではありません。時計が一致していません。',
    todo: 'このコンピューターの時計とタイムゾーンを設定してから、もう一度接続してください。',
  },
  'certificate/refused': {
    what: 'サービスは証明書を受け付けず、新しい証明書も発行していません。',
    todo: 'アカウントが有効かどうか、所属する組織に確認してください。',
  },

  'secret-store/unavailable': {
    what: 'このコンピューターには、ログインを保存できるキーストアがありません。',
    todo: 'GNOME Keyring や KWallet などのキーリングを設定してから、Causeway を起動し直してください。',
  },
  'secret-store/locked': {
    what: 'このコンピューターのキーストアはロックされています。',
    todo: 'ロックを解除してから、もう一度お試しください。',
  },
  'secret-store/in-file': {
    what: 'ログインがキーストアではなくファイルに保存されています。そのファイルを読める人は、ログインを使えます。',
    todo: 'このコンピューターでキーストアを使えるようになったら、secret-store オプションなしで Causeway を起動してください。',
  },
  'secret-store/failed': {
    what: 'このコンピューターのキーストアが要求を処理しませんでした。',
    todo: 'もう一度お試しください。繰り返し起きる場合は、コンピューターにサインインし直してください。',
  },

  'profile-configuration/malformed': {
    what: 'プロファイルが壊れているか不完全なため、Causeway は使用しません。',
    todo: 'サービスの運営者に連絡してください。',
  },
  'profile-configuration/forbidden-directive': {
    what: 'プロファイルにこのコンピューターに害を及ぼすおそれのある指定があるため、Causeway は使用しません。',
    todo: 'サービスの運営者に連絡してください。',
  },
  'profile-configuration/invalid-argument': {
    what: 'プロファイルに、Causeway が渡さない値が含まれています。',
    todo: 'サービスの運営者に連絡してください。',
  },
  'profile-configuration/incomplete': {
    what: 'プロファイルに、トンネルに必要な情報が足りません。',
    todo: 'サービスの運営者に連絡してください。',
  },
  'profile-configuration/no-tcp-remote': {
    what: 'TCP を使う設定ですが、このプロファイルには TCP に対応するサーバーがありません。',
    todo: '「TCP のみ使用」をオフにするか、別のプロファイルを選んでください。',
  },

  'openvpn/not-found': {
    what: 'このコンピューターに OpenVPN が見つかりません。',
    todo: 'OpenVPN 2.5 以降をインストールするか、Causeway が OpenVPN を探すパスを修正してから、もう一度接続してください。',
  },
  'openvpn/too-old': {
    what: 'このコンピューターの OpenVPN は古すぎます。',
    todo: '更新してから、もう一度接続してください。',
  },
  'openvpn/not-permitted': {
    what: 'Causeway には、このコンピューターでトンネルを設定する権限がありません。',
    todo: 'システムの確認画面で許可するか、このコンピューターの管理者に相談してください。',
  },
  'openvpn/certificate-rejected': {
    what: 'サーバーが証明書を拒否しました。新しい証明書も拒否されました。',
    todo: 'ログアウトしてから、もう一度ログインしてください。繰り返し起きる場合は、所属する組織に問い合わせてください。',
  },
  'openvpn/authentication-failed': {
    what: 'サーバーへの接続が許可されませんでした。',
    todo: 'このプロファイルを使えるかどうか、所属する組織に確認してください。',
  },
  'openvpn/server-not-verified': {
    what: 'サーバーが本物であることを確認できなかったため、Causeway は中止しました。',
    todo: '別のネットワークでお試しください。繰り返し起きる場合は、サービスの運営者に連絡してください。',
  },
  'openvpn/unreachable': {
    what: 'このプロファイルのどのサーバーも応答しませんでした。',
    todo: 'ネットワークを確認してください。VPN をブロックするネットワークもあります。別のネットワークでもお試しください。',
  },
  'openvpn/name-not-resolved': {
    what: 'VPN サーバーの名前を解決できませんでした。',
    todo: 'ネットワークを確認して、もう一度お試しください。',
  },
  'openvpn/halted-by-server': {
    what: 'サーバーがトンネルを終了しました。',
    todo: 'サービスのメッセージを確認し、後でもう一度接続してください。',
  },
  'openvpn/configuration-refused': {
    what: 'OpenVPN はこのプロファイルを使えません。',
    todo: 'サービスの運営者に連絡してください。',
  },
  'openvpn/timed-out': {
    what: '時間内にトンネルを確立できませんでした。',
    todo: 'もう一度お試しになるか、別のネットワークをお試しください。',
  },
  'network/captive-portal': {
    what: 'このネットワークを使うには、ログインが必要です。',
    todo: 'ブラウザーで Web ページを開いてログインしてから、もう一度接続してください。',
  },
  'connection/lost': {
    what: 'トンネルが切れました。再接続はオフになっています。',
    todo: 'もう一度接続するか、「設定」で再接続をオンにしてください。',
  },
  'openvpn/stopped-unexpectedly': {
    what: 'OpenVPN が予期せず停止しました。',
    todo: 'もう一度接続してください。繰り返し起きる場合は、下のコードを添えて報告してください。',
  },

  'helper/not-installed': {
    what: 'Causeway のヘルパーがインストールされていないため、Causeway はネットワークデバイスを設定できません。',
    todo: '「causeway helper install」でインストールしてください。',
  },
  'helper/dismissed': {
    what: 'Causeway に接続の設定を許可するかどうかの確認が、回答されずに閉じられました。',
    todo: 'もう一度接続して、確認に答えてください。',
  },
  'helper/not-authorized': {
    what: 'このコンピューターでは、接続を設定する権限がありません。',
    todo: '管理者に相談するか、パスワードを入力できるデスクトップセッションから接続してください。',
  },
  'helper/refused': {
    what: 'Causeway のヘルパーが、この接続の設定を拒否しました。',
    todo: 'サービスの管理者にプロファイルの修正を依頼するか、このバージョンのヘルパーをインストールし直してください。',
  },
  'helper/failed': {
    what: 'Causeway のヘルパーが処理を完了できませんでした。',
    todo: '「causeway doctor」を実行してください。',
  },
  'helper/needed-for-kill-switch': {
    what: 'キルスイッチには Causeway のヘルパーが必要ですが、インストールされていません。',
    todo: 'コマンド「causeway helper install」でインストールするか、「設定」でキルスイッチをオフにしてください。',
  },
  'helper/kill-switch-failed': {
    what: 'キルスイッチを設定できなかったため、Causeway は接続しませんでした。',
    todo: 'パッケージ nftables をインストールするか、「設定」でキルスイッチをオフにしてください。',
  },
  'helper/traffic-blocked': {
    what: 'キルスイッチがすべての通信をブロックしています。',
    todo: '「causeway connect --release」で解除してから、もう一度接続してください。',
  },
  'helper/dns-not-set': {
    what: 'この VPN の DNS サーバーを設定できなかったため、名前解決は引き続き VPN の外で行われます。',
    todo: 'パッケージ systemd-resolved または resolvconf をインストールしてから、もう一度接続してください。',
  },
  'helper/repaired': {
    what: '以前の接続が、後始末をせずに終了していました。',
    todo: '残っていたものは取り除きました。操作は必要ありません。',
  },
  'helper/service-missing': {
    what: 'このコンピューターで OpenVPN サービスが動作していないため、Causeway は接続を設定できません。',
    todo: 'OpenVPN をサービスとともにインストールするか、Windows サービス「OpenVPN Interactive Service」を開始してください。',
  },
  'helper/service-refused': {
    what: 'このコンピューターの OpenVPN サービスは、このアカウントの接続を開始しません。',
    todo: '管理者に依頼して、アカウントを「OpenVPN Administrators」グループに追加してもらい、Windows にサインインし直してください。',
  },
  'helper/powershell-refused': {
    what: 'Windows が Causeway による PowerShell の実行を許可していません。PowerShell は、Causeway が停止したときに接続を終了するために使われます。',
    todo: 'このコンピューターの管理者に、PowerShell の使用を許可するよう依頼してください。',
  },
  'helper/kill-switch-not-offered': {
    what: 'このシステムでは、キルスイッチをまだ利用できません。',
    todo: '「設定」でキルスイッチをオフにしてから、もう一度接続してください。',
  },

  'attachments/refused': {
    what: '添付サービスが要求を拒否しました。',
    todo: 'このサービスを使えるかどうか、所属する組織に確認してください。',
  },
  'attachments/unavailable': {
    what: '添付サービスは現在応答できません。',
    todo: 'しばらく待ってから、もう一度お試しください。',
  },
  'attachments/unreadable': {
    what: '読み取れない添付があるため、一部を表示していません。',
    todo: 'サービスの運営者に連絡してください。',
  },
  'attachments/not-offered': {
    what: 'このサービスは添付を提供していません。',
    todo: '別のサービスを選ぶか、運営者に添付サービスのアドレスを確認して「設定」で入力してください。',
  },
  'attachments/invalid-response': {
    what: '添付サービスの応答を Causeway は利用できません。',
    todo: 'サービスの運営者に連絡してください。',
  },
  'attachments/invalid-request': {
    what: '入力が不完全なため、添付サービスには送信していません。',
    todo: '入力した内容を確認してください。',
  },
  'attachments/forbidden': {
    what: '添付サービスでこの操作は許可されていません。',
    todo: '「設定」でこのサービスでのユーザー ID と役割を確認するか、所属する組織に役割の付与を依頼してください。',
  },
  'attachments/not-found': {
    what: 'この添付は存在しないか、ファイルがまだ届いていません。',
    todo: '一覧を更新するか、アップロードが完了するまでお待ちください。',
  },
  'attachments/not-a-file': {
    what: 'この添付はファイルではなく、リンクです。',
    todo: '代わりにリンクを開いてください。',
  },
  'attachments/extension-needed': {
    what: 'このファイルの名前には、サービスで必要な .pdf などの拡張子がありません。',
    todo: 'ファイル名の末尾に拡張子を付けてください。',
  },
  'attachments/file-unreadable': {
    what: 'このファイルを読み取れません。',
    todo: 'ファイルが存在し、読み取る権限があることを確認してください。',
  },
  'attachments/file-changed': {
    what: 'アップロード中にファイルが変更されました。',
    todo: 'ファイルへの書き込みが終わってから、もう一度アップロードしてください。',
  },
  'attachments/file-exists': {
    what: 'この名前のファイルはすでにあります。',
    todo: '別の名前を選ぶか、置き換えを許可してください。',
  },
  'attachments/file-unwritable': {
    what: 'その場所にファイルを保存できません。',
    todo: 'ディスクに空きがあり、フォルダーに書き込む権限があることを確認してください。',
  },
  'attachments/file-missing': {
    what: 'この添付のファイルは、サービスから失われています。',
    todo: '作成者に、もう一度アップロードするよう依頼してください。',
  },
  'attachments/storage-refused': {
    what: '添付サービスのストレージがファイルを拒否しました。',
    todo: '後でもう一度お試しになるか、サービスの運営者に連絡してください。',
  },
  'attachments/not-opened': {
    what: 'ファイルを開けませんでした。',
    todo: 'フォルダーから、お使いのアプリで開いてください。',
  },
  'attachments/unsafe-link': {
    what: 'このリンクは、Causeway では開けない種類のものです。',
    todo: '先頭が https:// のアドレスを作成者に確認してください。',
  },

  'content/not-offered': {
    what: 'このサービスはニュースを提供していません。',
    todo: '別のサービスを選ぶか、運営者にニュースサービスのアドレスを確認して「設定」で入力してください。',
  },

  'organizations/not-offered': {
    what: 'このサービスは組織を提供していません。',
    todo: '別のサービスを選ぶか、運営者に組織サービスのアドレスを確認して「設定」で入力してください。',
  },
  'organizations/invalid-request': {
    what: 'この内容のままでは、組織サービスに送信できません。',
    todo: '不足している項目、長すぎる項目、使えない文字がないか確認してください。',
  },
  'organizations/unauthorized': {
    what: '組織サービスから、本人確認を求められています。',
    todo: 'このサービスのトークン、またはユーザー名とパスワードを入力してください。',
  },
  'organizations/forbidden': {
    what: 'この組織は閲覧できますが、変更はできません。',
    todo: '組織の管理者に変更を依頼するか、管理者にしてもらってください。',
  },
  'organizations/not-found': {
    what: 'この組織は存在しないか、すでに削除されています。',
    todo: '番号または名前を確認するか、別の組織を表示してください。',
  },
  'organizations/user-not-found': {
    what: 'このユーザーは存在しないか、すでに削除されています。',
    todo: 'つづりを確認して、一覧を更新してください。',
  },
  'organizations/name-taken': {
    what: 'この名前は別の組織が使っています。',
    todo: '別の名前を選んでください。',
  },
  'organizations/already-member': {
    what: 'このユーザーはすでにメンバーです。',
    todo: '役割を変えるには、一覧でこのユーザーを探してください。',
  },
  'organizations/last-administrator': {
    what: '組織には管理者が必要ですが、このユーザーは最後の管理者です。',
    todo: '先に別の人を管理者にしてください。',
  },
  'organizations/refused': {
    what: '組織サービスが処理を行いませんでした。',
    todo: '後でもう一度お試しになるか、運営者に問い合わせてください。',
  },
  'organizations/invalid-response': {
    what: '組織サービスの応答を Causeway は利用できません。',
    todo: 'サービスの運営者に連絡してください。変更を行った場合は、更新して反映されたか確認してください。',
  },

  'content/invalid-request': {
    what: 'ニュースサービスはこの入力を受け付けません。',
    todo: '内容を確認して、もう一度お試しください。',
  },
  'content/refused': {
    what: 'ニュースサービスが要求を拒否しました。',
    todo: 'このサービスを使えるかどうか、所属する組織に確認してください。',
  },
  'content/not-found': {
    what: 'その内容はニュースサービスにないか、すでに削除されています。',
    todo: '一覧に戻って更新するか、アドレスを確認してください。',
  },
  'content/unavailable': {
    what: 'ニュースサービスは現在応答できません。',
    todo: 'しばらく待ってから、もう一度お試しください。',
  },
  'content/invalid-response': {
    what: 'ニュースサービスの応答を Causeway は利用できません。',
    todo: '後でもう一度お試しください。改善しない場合は、サービスの運営者に連絡してください。',
  },

  'settings/unknown': {
    what: 'この設定はありません。',
    todo: '表示されている設定から選んでください。',
  },
  'settings/invalid-value': {
    what: 'この設定には、その値を使えません。',
    todo: '別の値を選んでください。',
  },
  'start-at-login/window-only': {
    what: 'ターミナルのコマンドでは、この設定をオンにできません。',
    todo: 'ウィンドウの設定でオンにしてください。',
  },
  'start-at-login/refused': {
    what: 'システムがこの設定を受け付けませんでした。',
    todo: 'システム設定のログイン項目で Causeway を探し、許可してください。',
  },
  'data/damaged': {
    what: 'Causeway のファイルが壊れていたため、そのファイルなしで続行しました。',
    todo: 'ファイルは別の場所に残してあり、何も削除していません。設定とサービスの一覧を確認してください。',
  },
  'data/unreadable': {
    what: 'Causeway のファイルを読み取れませんでした。',
    todo: '下に示すファイルを読み取る権限があることを確認してください。',
  },
  'data/unwritable': {
    what: '変更を保存できませんでした。',
    todo: 'ディスクに空きがあり、下に示すファイルに書き込む権限があることを確認してください。',
  },
  'data/busy': {
    what: '別の Causeway が同じファイルを長時間使用しています。',
    todo: 'しばらく待つか、もう一方を終了してから、もう一度お試しください。',
  },

  'connection/held-by-other': {
    what: 'ターミナルのコマンドなど、別の Causeway がトンネルを使用しています。',
    todo: '先にそちらで切断するか、ここから切断してください。',
  },

  'session/ends-soon': {
    what: 'ログインの有効期限がまもなく切れます。',
    todo: 'その前に「接続」で更新してください。ブラウザーで Causeway をもう一度承認します。',
  },
  'session/over': {
    what: 'ログインの有効期限が切れました。',
    todo: '更新してください。ブラウザーで Causeway を承認すると、もう一度接続されます。',
  },
  'clock/wrong': {
    what: 'このコンピューターの時計がずれているため、証明書を有効と確認できません。',
    todo: 'システムの設定で時計とタイムゾーンを、できれば自動で合わせてから、もう一度接続してください。',
  },
}
