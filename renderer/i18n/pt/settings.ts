import type { Translation } from '../translation'
import { instanceSettings } from './instance-settings'

/** The texts of the settings, in Portuguese. */
export const settings: Translation['settings'] = {
  title: 'Ajustes',
  general: 'Geral',
  language: 'Idioma',
  languageText:
    'Para todos os textos do Causeway. Os de um serviço aparecem neste idioma se o serviço os oferecer.',
  languageSystem: 'Igual ao sistema',
  theme: 'Tema',
  themeText: 'Claro, escuro ou igual ao sistema.',
  themeSystem: 'Igual ao sistema',
  themeLight: 'Claro',
  themeDark: 'Escuro',
  connection: 'Conexão',
  reconnect: {
    label: 'Reconexão automática',
    text: 'Restabelece um túnel perdido, mesmo em outra rede e depois de uma suspensão.',
  },
  killSwitch: {
    label: 'Kill switch',
    text: 'Bloqueia todo o tráfego enquanto o túnel está caído, para que nada saia por fora dele. Termina ao desconectar ou ao clicar em “Permitir tráfego”. Vale a partir da próxima conexão.',
    missing: {
      'no-helper':
        'Precisa do componente auxiliar do Causeway: execute “causeway helper install” em um terminal.',
      'no-nft': 'Precisa do nftables, que não está instalado neste computador.',
      'not-on-this-system': 'O Causeway não o oferece neste sistema.',
    },
  },
  remoteStrategy: {
    label: 'Servidores a tentar',
    text: 'Quais servidores e portas de um perfil são pedidos.',
    first: 'A primeira porta por tipo',
    random: 'Uma porta aleatória por tipo',
    all: 'Todos',
  },
  preferTcp: {
    label: 'Usar apenas TCP',
    text: 'Para redes que não deixam passar UDP. É mais lento e não funciona se o perfil não tiver servidor TCP.',
  },
  autoConnect: {
    label: 'Conectar ao iniciar o Causeway',
    text: 'Volta ao último perfil usado. Se for preciso entrar primeiro, avisa.',
  },
  startAtLogin: {
    label: 'Iniciar ao entrar neste computador',
    text: 'O Causeway inicia na bandeja do sistema, ou minimizado se não houver uma.',
  },
  closeToTray: {
    label: 'Continuar ativo ao fechar a janela',
    text: 'O Causeway fica na bandeja do sistema com a sua conexão, se o ambiente tiver uma bandeja. “Encerrar”, no menu dela, fecha o Causeway.',
  },
  notifications: {
    label: 'Notificações',
    text: 'Avisam o que acontece com a janela em segundo plano: conexão estabelecida ou perdida, uma sessão que expira, novas mensagens.',
  },
  openvpnPath: {
    label: 'OpenVPN',
    text: 'O programa que cria o túnel.',
    detected: 'Detectado automaticamente',
    choose: 'Escolher…',
    detect: 'Detectar automaticamente',
  },
  instances: 'Serviços VPN',
  noInstances: 'Ainda não há nenhum. Adicione um em Conexão.',
  remove: 'Remover',
  removeQuestion: 'Remover {{instance}}? A sessão e a chave são apagadas deste computador.',
  removeConfirm: 'Remover {{instance}}',
  keep: 'Manter',
  instance: instanceSettings,
  support: 'Suporte',
  supportText:
    'Para quem presta ajuda: versões, ajustes, o que falta aqui e o fim do log. Senhas, chaves, endereços de rede e o seu nome ficam de fora.',
  supportCopy: 'Copiar para o suporte',
  supportCopied: 'Copiado. Cole na mensagem para o suporte.',
}
