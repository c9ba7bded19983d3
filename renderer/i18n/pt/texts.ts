import type { Translation } from '../translation'
import { attachments } from './attachments'
import { connection } from './connection'
import { desktop } from './desktop'
import { doctor } from './doctor'
import { errors } from './errors'
import { news } from './news'
import { organization } from './organization'
import { settings } from './settings'

/** Every text of the window, in Portuguese. */
export const texts: Translation = {
  navigation: {
    label: 'Seções',
    skip: 'Ir para o conteúdo',
    connection: 'Conexão',
    messages: 'Mensagens',
    attachments: 'Anexos',
    news: 'Notícias',
    organization: 'Organização',
    settings: 'Ajustes',
    doctor: 'Diagnóstico',
  },
  connection,
  instance: {
    choose: 'Serviço VPN',
    welcomeTitle: 'Adicione o seu serviço VPN',
    welcomeText: 'A sua organização informa o endereço. Depois, os seus perfis aparecem aqui.',
    welcomeWhat: 'O Causeway conecta este computador à VPN da sua organização.',
    nextTitle: 'Próximos passos',
    nextBrowser: 'Clique em “Entrar”. O navegador abre: entre por lá e autorize o Causeway.',
    nextProfiles: 'Os seus perfis aparecem aqui. Clique em “Conectar” em um deles.',
    address: 'Endereço',
    addressHint: 'Por exemplo, vpn.example.org',
    add: 'Adicionar serviço',
    addAnother: 'Adicionar outro serviço',
    notNow: 'Agora não',
    signedIn: 'Sessão iniciada',
    signedOut: 'Sessão não iniciada',
    waiting: 'Aguardando o navegador. Autorize o Causeway nele e depois volte aqui.',
    openAgain: 'Abrir o navegador novamente',
    copyLink: 'Copiar link',
    timeLeft: 'Tempo restante: {{time}}',
    useClientId: 'Salvar e entrar',
    logInHint: 'Para entrar, o navegador é aberto. Depois, os seus perfis aparecem aqui.',
    loggedOut:
      'Você saiu aqui. O serviço ainda lista o Causeway como aplicativo autorizado. Para revogar o acesso, abra a página da sua conta em {{address}}.',
    logIn: 'Entrar',
    cancel: 'Cancelar',
    logOut: 'Sair',
    refresh: 'Atualizar',
    retry: 'Tentar novamente',
    profilesOf: 'Perfis de {{instance}}',
    loading: 'Carregando os seus perfis…',
    noProfiles: 'Não há aqui nenhum perfil disponível. Peça um à sua organização.',
    findProfile: 'Buscar um perfil',
    noProfileFound: 'Nenhum perfil tem este nome.',
    profileInUse: 'Em uso',
    profileLast: 'Usado por último',
    profileAllTraffic: 'Todo o tráfego passa por ele',
    profileSomeTraffic: 'Só o tráfego para essa rede passa por ele',
  },
  messages: {
    title: 'Mensagens',
    from: 'Mensagem de {{instance}}',
    unread: 'Não lida',
    unreadCount_one: '{{count, number}} mensagem não lida',
    unreadCount_many: '{{count, number}} de mensagens não lidas',
    unreadCount_other: '{{count, number}} mensagens não lidas',
    refresh: 'Atualizar',
    loading: 'Carregando as suas mensagens…',
    noneTitle: 'Nenhuma mensagem',
    noneText: 'Quando um serviço tiver algo a dizer, como uma manutenção programada, isso aparece aqui.',
    noInstance: 'Primeiro, adicione o seu serviço VPN em Conexão. As mensagens aparecem aqui.',
    signedOut: 'Entre em {{instance}}, em Conexão, para ler as mensagens.',
  },
  attachments,
  news,
  organization,
  settings,
  doctor,
  offline: {
    asOf: 'Dados de {{time}}: não é possível acessar {{instance}} agora.',
  },
  notices: {
    title: 'Antes de continuar',
    dismiss: 'Entendi',
  },
  error: {
    code: 'Código: {{code}}',
    serverSays: 'O servidor diz: {{text}}',
    directive: 'Diretiva: {{directive}}',
    endsAt: 'Em {{instance}}, expira em {{time}}.',
    endedAt: 'Em {{instance}}, expirou em {{time}}.',
    versions: 'Versão da API oferecida: {{versions}}',
    issuer:
      'O certificado foi emitido por “{{issuer}}”, uma autoridade em que este computador não confia. Se a autoridade for da sua organização, peça que o certificado dela seja adicionado ao repositório de certificados deste computador.',
    clientId: 'ID do cliente usado: {{clientId}}',
    clockAhead: 'O relógio está {{by}} adiantado em relação ao de {{instance}}.',
    clockBehind: 'O relógio está {{by}} atrasado em relação ao de {{instance}}.',
    busy: 'O serviço está sobrecarregado.',
    tryAgain: 'Tente novamente {{when}}.',
    credentials: {
      tokenRefused: {
        what: 'O serviço de organizações não aceitou o token.',
        todo: 'Verifique se está completo e não expirou, ou peça outro aos administradores do serviço.',
      },
      passwordRefused: {
        what: 'O serviço de organizações não aceitou o nome de usuário e a senha.',
        todo: 'Verifique se estão escritos corretamente e insira-os de novo.',
      },
      passwordWanted: {
        what: 'O serviço de organizações pede aqui um nome de usuário e uma senha, não um token.',
        todo: 'Insira o nome de usuário e a senha deste serviço.',
      },
      tokenWanted: {
        what: 'O serviço de organizações pede aqui um token, não um nome de usuário e uma senha.',
        todo: 'Insira o token deste serviço.',
      },
    },
    file: 'Arquivo: {{path}}',
    boundaryTitle: 'Não é possível mostrar esta seção',
    boundaryText:
      'A sua conexão não é afetada. Tente novamente e, se voltar a acontecer, comunique o problema.',
    retry: 'Tentar novamente',
  },
  desktop,
  errors,
}
