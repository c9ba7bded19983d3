import type { Translation } from '../translation'

/** The texts of the view of what Causeway needs of the computer, in Portuguese. */
export const doctor: Translation['doctor'] = {
  title: 'Diagnóstico',
  text: 'O que é necessário ao Causeway neste computador, e o que fazer quando falta algo.',
  link: 'Verificar este computador',
  linkText: 'Procura tudo o que é necessário ao Causeway e indica o que fazer quando falta algo.',
  checking: 'Verificando…',
  again: 'Verificar novamente',
  remedy: 'Em um terminal:',
  summary: {
    ok: 'Tudo o que é necessário ao Causeway está aqui.',
    limited: 'O Causeway funciona aqui, mas não por completo.',
    missing: 'Falta algo necessário ao Causeway.',
  },
  word: {
    ok: 'Em ordem',
    limited: 'Limitado',
    missing: 'Em falta',
  },
  name: {
    openvpn: 'OpenVPN',
    service: 'Serviço do OpenVPN',
    rights: 'Permissões',
    helper: 'Componente auxiliar',
    'tun-device': 'Dispositivo de túnel',
    'key-store': 'Repositório de chaves',
    dns: 'Servidores DNS',
    'kill-switch': 'Kill switch',
  },
  what: {
    'openvpn-found': 'OpenVPN {{version}} em {{path}}.',
    'openvpn-unusable': 'Não há nenhum OpenVPN que possa ser usado.',
    'service-ready': 'O serviço do OpenVPN está em execução e inicia conexões para a sua conta.',
    'service-missing':
      'O serviço do OpenVPN não está em execução, por isso não há túnel sem permissões de administrador.',
    'service-without-powershell':
      'O serviço do OpenVPN está em execução, mas o Windows não deixa o Causeway executar o PowerShell, que encerra uma conexão se o Causeway desaparecer.',
    'service-not-for-you':
      'O serviço do OpenVPN está em execução, mas a sua conta não pertence a nenhum dos grupos para os quais ele costuma iniciar conexões.',
    'rights-of-service': 'O serviço do OpenVPN configura o dispositivo de rede e as rotas.',
    'rights-of-helper': 'O componente auxiliar configura o dispositivo de rede e as rotas.',
    'rights-of-process': 'O Causeway pode configurar por si só um dispositivo de rede e as rotas.',
    'rights-need-helper': 'O Causeway não pode criar um dispositivo de rede, por isso ainda não há túnel.',
    'rights-need-service': 'O Causeway não pode criar um dispositivo de rede, por isso ainda não há túnel.',
    'helper-ready': '{{path}} está aqui e pode ser usado.',
    'helper-missing':
      'O componente auxiliar não está instalado: não há servidores DNS de uma VPN, nem kill switch, nem túnel sem root.',
    'helper-missing-macos':
      'O componente auxiliar não está instalado: não há túnel sem root, nem servidores DNS de uma VPN.',
    'helper-not-built': 'O componente auxiliar não está instalado e esta cópia do Causeway não o inclui.',
    'helper-not-used':
      '{{path}} não é usado: poderia ser alterado por alguém que não é root, ou não há aqui nem pkexec nem sudo.',
    'tun-ready': '{{path}} pode ser aberto.',
    'tun-absent': 'Não existe {{path}}.',
    'tun-denied': 'A sua conta não tem permissão para abrir {{path}}.',
    'key-store-ready': 'A gravação e a leitura no repositório de chaves funcionaram.',
    'key-store-differs': 'O repositório de chaves devolveu algo diferente do que foi escrito.',
    'key-store-unusable': 'Não é possível usar o repositório de chaves.',
    'dns-ready': '{{program}} está aqui para configurar os servidores DNS.',
    'dns-missing':
      'Não há aqui nem resolvectl nem resolvconf, por isso não é possível configurar os servidores DNS de uma VPN.',
    'nft-found': 'O nftables está aqui para o kill switch.',
    'nft-missing': 'Não há aqui o nftables, de que o kill switch precisa.',
  },
  todo: {
    'openvpn-unusable': 'Instale o OpenVPN 2.5 ou mais recente, ou indique-o em Ajustes.',
    'service-missing':
      'Instale o OpenVPN com o seu serviço, ou inicie o serviço do Windows “OpenVPN Interactive Service”.',
    'service-without-powershell':
      'Peça ao administrador deste computador que permita o PowerShell para a sua conta.',
    'service-not-for-you':
      'Peça a um administrador que adicione a sua conta ao grupo “OpenVPN Administrators” e inicie a sessão no Windows novamente.',
    'rights-need-helper': 'Instale o componente auxiliar.',
    'rights-need-service':
      'Instale o OpenVPN com o seu serviço. Não é preciso executar o Causeway como administrador.',
    'helper-missing': 'Instale o componente auxiliar.',
    'helper-missing-macos': 'Instale o componente auxiliar.',
    'helper-not-built': 'Instale o Go e, depois, compile e instale o componente auxiliar.',
    'helper-not-used':
      'Instale o pkexec (no Debian, pkexec e polkitd) e depois instale novamente o componente auxiliar.',
    'tun-absent': 'Carregue o módulo do kernel do dispositivo.',
    'tun-denied': 'Permita que qualquer usuário abra o dispositivo, como nos ambientes de desktop.',
    'key-store-differs':
      'Desbloqueie o repositório de chaves, ou encerre a sessão deste computador e entre novamente.',
    'key-store-unusable': 'Desbloqueie ou inicie o repositório de chaves do seu ambiente de desktop.',
    'dns-missing': 'Instale o systemd-resolved ou o resolvconf.',
    'nft-missing': 'Instale o nftables.',
  },
}
