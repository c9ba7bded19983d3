import type { Translation } from '../translation'

/** The view of the doctor, in Japanese: what Causeway needs of this computer. */
export const doctor: Translation['doctor'] = {
  title: '診断',
  text: 'Causeway がこのコンピューターに必要とするものと、不足がある場合の対処を示します。',
  link: 'このコンピューターを診断',
  linkText: 'Causeway に必要なものがそろっているか調べ、不足がある場合の対処を示します。',
  checking: '診断しています…',
  again: 'もう一度診断',
  remedy: 'ターミナルで実行:',
  summary: {
    ok: 'Causeway に必要なものはすべてそろっています。',
    limited: 'Causeway は動作しますが、一部の機能を使えません。',
    missing: 'Causeway に必要なものが不足しています。',
  },
  word: {
    ok: '正常',
    limited: '制限あり',
    missing: '不足',
  },
  name: {
    openvpn: 'OpenVPN',
    service: 'OpenVPN サービス',
    rights: '権限',
    helper: 'ヘルパー',
    'tun-device': 'トンネルデバイス',
    'key-store': 'キーストア',
    dns: 'DNS サーバー',
    'kill-switch': 'キルスイッチ',
  },
  what: {
    'openvpn-found': 'OpenVPN {{version}} が {{path}} にあります。',
    'openvpn-unusable': '使用できる OpenVPN がありません。',
    'service-ready': 'OpenVPN サービスは動作しており、接続を開始できます。',
    'service-missing': 'OpenVPN サービスが動作していないため、管理者権限がなければトンネルを作れません。',
    'service-without-powershell':
      'OpenVPN サービスは動作していますが、Windows が Causeway による PowerShell の実行を許可していません。PowerShell は、Causeway が停止したときに接続を終了するために使われます。',
    'service-not-for-you':
      'OpenVPN サービスは動作していますが、通常このサービスが接続を開始するグループのいずれにもアカウントが属していません。',
    'rights-of-service': 'ネットワークデバイスとルートは OpenVPN サービスが設定します。',
    'rights-of-helper': 'ネットワークデバイスとルートはヘルパーが設定します。',
    'rights-of-process': 'Causeway は自らネットワークデバイスとルートを設定できます。',
    'rights-need-helper':
      'Causeway にネットワークデバイスを設定する権限がないため、まだトンネルを作れません。',
    'rights-need-service':
      'Causeway にネットワークデバイスを設定する権限がないため、まだトンネルを作れません。',
    'helper-ready': '{{path}} があり、使用できます。',
    'helper-missing':
      'ヘルパーがインストールされていません。VPN の DNS サーバーとキルスイッチは使えず、root でなければトンネルを作れません。',
    'helper-missing-macos':
      'ヘルパーがインストールされていません。root でなければトンネルを作れず、VPN の DNS サーバーも使えません。',
    'helper-not-built': 'ヘルパーがインストールされておらず、この Causeway には含まれていません。',
    'helper-not-used':
      '{{path}} は使用されません。root 以外が変更できる状態か、pkexec と sudo のどちらもありません。',
    'tun-ready': '{{path}} を開けます。',
    'tun-absent': '{{path}} がありません。',
    'tun-denied': '{{path}} を開く権限がありません。',
    'key-store-ready': 'キーストアへの書き込みと読み取りを確認しました。',
    'key-store-differs': 'キーストアから、書き込んだものと異なる内容が返されました。',
    'key-store-unusable': 'キーストアを使用できません。',
    'dns-ready': '{{program}} で DNS サーバーを設定できます。',
    'dns-missing': 'resolvectl と resolvconf のどちらもないため、VPN の DNS サーバーを設定できません。',
    'nft-found': 'キルスイッチに使う nftables があります。',
    'nft-missing': 'キルスイッチに必要な nftables がありません。',
  },
  todo: {
    'openvpn-unusable': 'OpenVPN 2.5 以降をインストールするか、「設定」で場所を指定してください。',
    'service-missing':
      'OpenVPN をサービスとともにインストールするか、Windows サービス「OpenVPN Interactive Service」を開始してください。',
    'service-without-powershell':
      'このコンピューターの管理者に、PowerShell の使用を許可するよう依頼してください。',
    'service-not-for-you':
      '管理者に依頼して、アカウントを「OpenVPN Administrators」グループに追加してもらい、Windows にサインインし直してください。',
    'rights-need-helper': 'ヘルパーをインストールしてください。',
    'rights-need-service':
      'OpenVPN をサービスとともにインストールしてください。Causeway を管理者として実行する必要はありません。',
    'helper-missing': 'ヘルパーをインストールしてください。',
    'helper-missing-macos': 'ヘルパーをインストールしてください。',
    'helper-not-built': 'Go をインストールしてから、ヘルパーをビルドしてインストールしてください。',
    'helper-not-used':
      'pkexec (Debian では pkexec と polkitd) をインストールしてから、ヘルパーをインストールし直してください。',
    'tun-absent': 'デバイスのカーネルモジュールを読み込んでください。',
    'tun-denied': '一般的なデスクトップと同様に、すべてのユーザーがデバイスを開けるようにしてください。',
    'key-store-differs': 'キーストアのロックを解除するか、このコンピューターにサインインし直してください。',
    'key-store-unusable': 'デスクトップのキーストアのロックを解除するか、起動してください。',
    'dns-missing': 'systemd-resolved または resolvconf をインストールしてください。',
    'nft-missing': 'nftables をインストールしてください。',
  },
}
