import type { ErrorTexts } from '../error-texts'

/** For every error, what happened and what to do, in Portuguese. */
export const errors: ErrorTexts = {
  'internal/unexpected': {
    what: 'O Causeway encontrou uma situação para a qual não foi preparado.',
    todo: 'Tente novamente. Se voltar a acontecer, comunique o problema com o código abaixo.',
  },
  'app/ended-unexpectedly': {
    what: 'O Causeway foi encerrado inesperadamente enquanto estava conectado ou conectando.',
    todo: 'Conecte novamente. Se voltar a acontecer, envie à sua organização o relatório que está em Ajustes, “Copiar para o suporte”.',
  },
  'usage/invalid-argument': {
    what: 'O Causeway não pode usar o que foi inserido.',
    todo: 'Verifique e tente novamente.',
  },
  'usage/unknown-instance': {
    what: 'Este serviço já não está na sua lista.',
    todo: 'Adicione-o novamente com o endereço.',
  },
  'usage/instance-needed': {
    what: 'Não está claro de qual serviço se trata.',
    todo: 'Escolha um da sua lista ou adicione um primeiro.',
  },
  'usage/no-last-connection': {
    what: 'O Causeway não se lembra de nenhuma conexão anterior.',
    todo: 'Escolha um perfil.',
  },
  'usage/profile-needed': {
    what: 'Não está claro de qual perfil se trata.',
    todo: 'Escolha um da lista.',
  },

  'http/insecure-url': {
    what: 'O endereço não é seguro.',
    todo: 'Use um endereço que comece por https.',
  },
  'http/unreachable': {
    what: 'Não foi possível conectar ao servidor.',
    todo: 'Verifique a rede e o endereço e tente novamente.',
  },
  'http/tls-failed': {
    what: 'Não foi possível estabelecer uma conexão segura com o servidor: o certificado não é válido.',
    todo: 'Verifique o endereço e o relógio deste computador. Em uma rede de visitantes, abra primeiro uma página no navegador e entre por lá.',
  },
  'http/timed-out': {
    what: 'O servidor não respondeu a tempo.',
    todo: 'Tente novamente daqui a pouco ou a partir de outra rede.',
  },
  'http/too-large': {
    what: 'O servidor enviou muito mais do que foi pedido, por isso o Causeway parou de ler.',
    todo: 'Verifique o endereço. Se estiver correto, avise os administradores do serviço.',
  },
  'http/private-address': {
    what: 'O serviço indicou um endereço que não está na internet pública, por isso o Causeway não o contatou.',
    todo: 'Avise os administradores do serviço.',
  },
  'http/cancelled': {
    what: 'O pedido foi cancelado.',
    todo: 'Comece novamente quando quiser continuar.',
  },

  'discovery/invalid-address': {
    what: 'Este não é o endereço de um serviço.',
    todo: 'Digite-o como foi fornecido, por exemplo vpn.example.org.',
  },
  'discovery/insecure-address': {
    what: 'Este endereço começa por http://, e assim qualquer pessoa poderia ler a comunicação pelo caminho.',
    todo: 'Use o endereço que começa por https://.',
  },
  'discovery/not-found': {
    what: 'Não há nenhum serviço VPN neste endereço.',
    todo: 'Confirme o endereço com a sua organização.',
  },
  'discovery/not-json': {
    what: 'Este endereço responde, mas não como um serviço VPN.',
    todo: 'Verifique o endereço. Em uma rede de visitantes, abra primeiro uma página no navegador e entre por lá.',
  },
  'discovery/no-vpn-api': {
    what: 'O serviço neste endereço não usa uma versão que o Causeway entenda.',
    todo: 'Pergunte à sua organização qual app é adequado ao serviço dela.',
  },
  'discovery/unsupported-version': {
    what: 'Este serviço só oferece uma versão da API de VPN que esta versão do Causeway ainda não suporta.',
    todo: 'Verifique se há uma versão mais recente do Causeway ou pergunte à sua organização qual app é adequado ao serviço dela.',
  },
  'discovery/invalid-document': {
    what: 'O serviço descreve-se de uma forma que o Causeway não pode usar.',
    todo: 'Avise os administradores do serviço.',
  },
  'discovery/too-many-redirects': {
    what: 'O endereço leva de um lugar a outro sem fim.',
    todo: 'Verifique o endereço ou avise os administradores do serviço.',
  },
  'discovery/insecure-redirect': {
    what: 'O endereço leva a um lugar que não é seguro, por isso o Causeway não continuou.',
    todo: 'Verifique o endereço ou avise os administradores do serviço.',
  },
  'discovery/invalid-redirect': {
    what: 'O endereço leva a um lugar que não existe.',
    todo: 'Verifique o endereço ou avise os administradores do serviço.',
  },
  'discovery/server-error': {
    what: 'O serviço está com uma falha neste momento.',
    todo: 'Tente novamente daqui a pouco.',
  },

  'oauth/login-required': {
    what: 'A sua sessão expirou.',
    todo: 'Entre novamente para continuar.',
  },
  'oauth/access-denied': {
    what: 'O acesso foi negado no navegador.',
    todo: 'Entre novamente e autorize o Causeway no navegador.',
  },
  'oauth/client-refused': {
    what: 'Este serviço não conhece o Causeway, por isso ninguém consegue entrar com ele ainda.',
    todo: 'Peça aos administradores do serviço que registrem o Causeway ou informe o ID do cliente que eles deram a você.',
  },
  'oauth/authorization-failed': {
    what: 'O serviço não permitiu o login.',
    todo: 'Tente novamente. Se voltar a acontecer, avise os administradores do serviço.',
  },
  'oauth/cancelled': {
    what: 'O login foi cancelado.',
    todo: 'Entre novamente quando quiser continuar.',
  },
  'oauth/timed-out': {
    what: 'O Causeway esperou pelo navegador e não recebeu resposta.',
    todo: 'Entre novamente. Se o navegador mostrar um erro, avise os administradores do serviço.',
  },
  'oauth/issuer-mismatch': {
    what: 'A resposta no navegador veio de um serviço diferente do solicitado, por isso o Causeway não a usou.',
    todo: 'Entre novamente. Se voltar a acontecer, avise os administradores do serviço.',
  },
  'oauth/invalid-callback': {
    what: 'O navegador voltou sem aquilo de que o Causeway precisa.',
    todo: 'Entre novamente.',
  },
  'oauth/code-refused': {
    what: 'O serviço retirou a autorização que tinha acabado de dar.',
    todo: 'Entre novamente.',
  },
  'oauth/invalid-token-response': {
    what: 'O serviço respondeu ao login de uma forma que o Causeway não pode usar.',
    todo: 'Avise os administradores do serviço.',
  },
  'oauth/server-error': {
    what: 'O login do serviço está com uma falha neste momento.',
    todo: 'Tente novamente daqui a pouco. A sua sessão continua iniciada.',
  },
  'oauth/browser-not-opened': {
    what: 'O navegador não abriu.',
    todo: 'Defina um navegador padrão no sistema e tente novamente.',
  },

  'vpn-api/refused': {
    what: 'O serviço recusou o pedido.',
    todo: 'Tente novamente. Se voltar a acontecer, avise os administradores do serviço.',
  },
  'vpn-api/profile-unavailable': {
    what: 'Este perfil já não existe ou não está disponível para esta conta.',
    todo: 'Escolha outro perfil ou peça-o à sua organização.',
  },
  'vpn-api/server-error': {
    what: 'O serviço está com uma falha neste momento.',
    todo: 'Tente novamente daqui a pouco.',
  },
  'vpn-api/invalid-response': {
    what: 'O serviço respondeu de uma forma que o Causeway não pode usar.',
    todo: 'Avise os administradores do serviço.',
  },

  'certificate/none': {
    what: 'Ainda não há nenhum certificado deste serviço neste computador.',
    todo: 'Conecte uma vez, e o Causeway obtém um.',
  },
  'certificate/invalid': {
    what: 'O serviço forneceu um certificado que não funciona.',
    todo: 'Tente novamente. Se voltar a acontecer, avise os administradores do serviço.',
  },
  'certificate/clock-mismatch': {
    what: 'Pelo relógio deste computador, o seu certificado ainda não é válido: os relógios não coincidem.',
    todo: 'Acerte o relógio e o fuso horário deste computador e conecte novamente.',
  },
  'certificate/refused': {
    what: 'O serviço não aceita o seu certificado e não fornece outro.',
    todo: 'Pergunte à sua organização se a sua conta ainda está ativa.',
  },

  'secret-store/unavailable': {
    what: 'Não há neste computador um repositório de chaves onde guardar a sua sessão.',
    todo: 'Configure um repositório de chaves, como o GNOME Keyring ou o KWallet, e inicie o Causeway novamente.',
  },
  'secret-store/locked': {
    what: 'O repositório de chaves deste computador está bloqueado.',
    todo: 'Desbloqueie-o e tente novamente.',
  },
  'secret-store/in-file': {
    what: 'As suas sessões são guardadas em um arquivo, não em um repositório de chaves. Quem puder ler os seus arquivos pode usá-las.',
    todo: 'Inicie o Causeway sem a opção secret-store assim que este computador tiver um repositório de chaves.',
  },
  'secret-store/failed': {
    what: 'O repositório de chaves deste computador não fez o que lhe foi pedido.',
    todo: 'Tente novamente. Se voltar a acontecer, encerre a sessão do computador e entre novamente.',
  },

  'profile-configuration/malformed': {
    what: 'O perfil está danificado ou incompleto, por isso o Causeway não o usa.',
    todo: 'Avise os administradores do serviço.',
  },
  'profile-configuration/forbidden-directive': {
    what: 'O perfil pede algo que poderia prejudicar este computador, por isso o Causeway não o usa.',
    todo: 'Avise os administradores do serviço.',
  },
  'profile-configuration/invalid-argument': {
    what: 'O perfil contém um valor que o Causeway não transmite.',
    todo: 'Avise os administradores do serviço.',
  },
  'profile-configuration/incomplete': {
    what: 'Falta no perfil algo de que um túnel precisa.',
    todo: 'Avise os administradores do serviço.',
  },
  'profile-configuration/no-tcp-remote': {
    what: 'A preferência é por TCP, e este perfil não tem nenhum servidor que o use.',
    todo: 'Desative a preferência por TCP ou escolha outro perfil.',
  },

  'openvpn/not-found': {
    what: 'O OpenVPN não foi encontrado neste computador.',
    todo: 'Instale o OpenVPN 2.5 ou mais recente, ou corrija o caminho onde o Causeway o procura, e conecte novamente.',
  },
  'openvpn/too-old': {
    what: 'O OpenVPN deste computador é antigo demais.',
    todo: 'Atualize-o e conecte novamente.',
  },
  'openvpn/not-permitted': {
    what: 'O Causeway não tem permissão para criar um túnel neste computador.',
    todo: 'Permita quando o sistema perguntar, ou fale com a pessoa que cuida deste computador.',
  },
  'openvpn/certificate-rejected': {
    what: 'O servidor rejeitou o seu certificado, e também um novo.',
    todo: 'Saia e entre novamente. Se voltar a acontecer, pergunte à sua organização.',
  },
  'openvpn/authentication-failed': {
    what: 'O servidor não permitiu o acesso.',
    todo: 'Pergunte à sua organização se este perfil pode ser usado com a sua conta.',
  },
  'openvpn/server-not-verified': {
    what: 'O servidor não conseguiu provar que é o correto, por isso o Causeway parou.',
    todo: 'Tente outra rede. Se voltar a acontecer, avise os administradores do serviço.',
  },
  'openvpn/unreachable': {
    what: 'Nenhum servidor deste perfil respondeu.',
    todo: 'Verifique a rede. Algumas redes bloqueiam VPNs: tente outra.',
  },
  'openvpn/name-not-resolved': {
    what: 'Não foi possível resolver o nome do servidor VPN.',
    todo: 'Verifique a rede e tente novamente.',
  },
  'openvpn/halted-by-server': {
    what: 'O servidor fechou o túnel.',
    todo: 'Leia as mensagens do serviço e conecte novamente mais tarde.',
  },
  'openvpn/configuration-refused': {
    what: 'O OpenVPN não consegue trabalhar com este perfil.',
    todo: 'Avise os administradores do serviço.',
  },
  'openvpn/timed-out': {
    what: 'O túnel não foi estabelecido a tempo.',
    todo: 'Tente novamente ou tente outra rede.',
  },
  'network/captive-portal': {
    what: 'Esta rede pede um login antes de dar acesso à internet.',
    todo: 'Abra uma página no navegador, faça o login e conecte novamente.',
  },
  'connection/lost': {
    what: 'O túnel caiu, e a reconexão está desativada.',
    todo: 'Conecte novamente ou ative a reconexão em Ajustes.',
  },
  'openvpn/stopped-unexpectedly': {
    what: 'O OpenVPN parou por si só.',
    todo: 'Conecte novamente. Se voltar a acontecer, comunique o problema com o código abaixo.',
  },

  'helper/not-installed': {
    what: 'O componente auxiliar do Causeway não está instalado e, sem ele, o Causeway não pode criar um dispositivo de rede.',
    todo: 'Instale-o com “causeway helper install”.',
  },
  'helper/dismissed': {
    what: 'A pergunta sobre se o Causeway pode criar a conexão foi fechada.',
    todo: 'Conecte novamente e responda a ela.',
  },
  'helper/not-authorized': {
    what: 'Este computador não permite criar uma conexão com a sua conta.',
    todo: 'Fale com o administrador, ou conecte a partir da sessão gráfica, onde uma senha pode ser pedida.',
  },
  'helper/refused': {
    what: 'O componente auxiliar do Causeway recusou a configuração desta conexão.',
    todo: 'Peça ao administrador deste serviço que corrija o perfil, ou instale novamente o componente auxiliar desta versão.',
  },
  'helper/failed': {
    what: 'O componente auxiliar do Causeway não conseguiu fazer o seu trabalho.',
    todo: 'Execute “causeway doctor”.',
  },
  'helper/needed-for-kill-switch': {
    what: 'O kill switch precisa do componente auxiliar do Causeway, que não está instalado.',
    todo: 'Instale-o com: causeway helper install. Ou desative o kill switch em Ajustes.',
  },
  'helper/kill-switch-failed': {
    what: 'Não foi possível ativar o kill switch, por isso o Causeway não conectou.',
    todo: 'Instale o nftables ou desative o kill switch em Ajustes.',
  },
  'helper/traffic-blocked': {
    what: 'O kill switch mantém todo o tráfego bloqueado.',
    todo: 'Desfaça o bloqueio com “causeway connect --release” e conecte novamente.',
  },
  'helper/dns-not-set': {
    what: 'Não foi possível configurar os servidores DNS desta VPN, por isso os nomes ainda são resolvidos fora dela.',
    todo: 'Instale o systemd-resolved ou o resolvconf e conecte novamente.',
  },
  'helper/repaired': {
    what: 'Uma conexão tinha terminado sem deixar tudo limpo.',
    todo: 'O que restava dela já foi removido. Não é preciso fazer nada.',
  },
  'helper/service-missing': {
    what: 'O serviço do OpenVPN não está em execução neste computador e, sem ele, o Causeway não pode criar uma conexão.',
    todo: 'Instale o OpenVPN com o seu serviço, ou inicie o serviço do Windows “OpenVPN Interactive Service”.',
  },
  'helper/service-refused': {
    what: 'O serviço do OpenVPN deste computador não inicia conexões para a sua conta.',
    todo: 'Peça a um administrador que adicione a sua conta ao grupo “OpenVPN Administrators” e inicie a sessão no Windows novamente.',
  },
  'helper/powershell-refused': {
    what: 'O Windows não deixa o Causeway executar o PowerShell, que encerraria a conexão se o Causeway desaparecesse.',
    todo: 'Peça ao administrador deste computador que permita o PowerShell para a sua conta.',
  },
  'helper/kill-switch-not-offered': {
    what: 'Ainda não há kill switch neste sistema.',
    todo: 'Desative o kill switch em Ajustes e conecte novamente.',
  },

  'attachments/refused': {
    what: 'O serviço de anexos recusou o pedido.',
    todo: 'Pergunte à sua organização se pode ser usado com a sua conta.',
  },
  'attachments/unavailable': {
    what: 'O serviço de anexos não pode responder agora.',
    todo: 'Aguarde um momento e tente novamente.',
  },
  'attachments/unreadable': {
    what: 'Não foi possível ler alguns anexos, que ficaram de fora.',
    todo: 'Avise os administradores do serviço.',
  },
  'attachments/not-offered': {
    what: 'Este serviço VPN não oferece anexos.',
    todo: 'Escolha outro serviço VPN, ou peça aos administradores o endereço dos anexos e escreva-o em Ajustes.',
  },
  'attachments/invalid-response': {
    what: 'O serviço de anexos respondeu de uma forma que o Causeway não pode usar.',
    todo: 'Avise os administradores do serviço.',
  },
  'attachments/invalid-request': {
    what: 'O pedido está incompleto, por isso não foi enviado ao serviço de anexos.',
    todo: 'Verifique o que foi preenchido.',
  },
  'attachments/forbidden': {
    what: 'O serviço de anexos não permite fazer isto.',
    todo: 'Verifique em Ajustes a sua identificação neste serviço, ou peça a função à sua organização.',
  },
  'attachments/not-found': {
    what: 'Este anexo não existe, ou o arquivo dele ainda não chegou.',
    todo: 'Atualize a lista ou aguarde o fim do envio.',
  },
  'attachments/not-a-file': {
    what: 'Este anexo é um link, não um arquivo.',
    todo: 'Abra o link.',
  },
  'attachments/extension-needed': {
    what: 'O nome deste arquivo não tem extensão, como .pdf, e o serviço precisa de uma.',
    todo: 'Dê ao arquivo um nome que termine com uma extensão.',
  },
  'attachments/file-unreadable': {
    what: 'Não é possível ler este arquivo.',
    todo: 'Verifique se existe, se é um arquivo e se há permissão para lê-lo.',
  },
  'attachments/file-changed': {
    what: 'O arquivo mudou durante o envio.',
    todo: 'Aguarde até que nada mais escreva nele e envie-o novamente.',
  },
  'attachments/file-exists': {
    what: 'Já existe um arquivo com este nome.',
    todo: 'Escolha outro nome ou permita que seja substituído.',
  },
  'attachments/file-unwritable': {
    what: 'Não é possível salvar o arquivo nesse local.',
    todo: 'Verifique se há espaço no disco e permissão para escrever na pasta.',
  },
  'attachments/file-missing': {
    what: 'O serviço já não tem o arquivo deste anexo.',
    todo: 'Peça ao autor que o envie novamente.',
  },
  'attachments/storage-refused': {
    what: 'O armazenamento do serviço de anexos recusou o arquivo.',
    todo: 'Tente novamente mais tarde ou avise os administradores do serviço.',
  },
  'attachments/not-opened': {
    what: 'Não foi possível abrir o arquivo.',
    todo: 'Abra-o a partir da pasta com o programa da sua escolha.',
  },
  'attachments/unsafe-link': {
    what: 'O Causeway não abre links como este.',
    todo: 'Peça ao autor um endereço que comece por https://.',
  },

  'content/not-offered': {
    what: 'Este serviço VPN não oferece notícias.',
    todo: 'Escolha outro serviço VPN, ou peça aos administradores o endereço das notícias e escreva-o em Ajustes.',
  },

  'organizations/not-offered': {
    what: 'Este serviço VPN não oferece organizações.',
    todo: 'Escolha outro serviço VPN, ou peça aos administradores o endereço das organizações e escreva-o em Ajustes.',
  },
  'organizations/invalid-request': {
    what: 'Isto não pode ser enviado assim ao serviço de organizações.',
    todo: 'Verifique o que foi digitado: falta algo, é longo demais ou tem caracteres que não podem ser usados ali.',
  },
  'organizations/unauthorized': {
    what: 'O serviço de organizações pede identificação.',
    todo: 'Insira o token, ou o nome de usuário e a senha, deste serviço.',
  },
  'organizations/forbidden': {
    what: 'Esta organização pode ser vista, mas não alterada, com a sua conta.',
    todo: 'Peça a um dos administradores que faça a alteração ou que atribua essa função à sua conta.',
  },
  'organizations/not-found': {
    what: 'Esta organização não existe ou deixou de existir.',
    todo: 'Verifique o número ou o nome, ou veja outra.',
  },
  'organizations/user-not-found': {
    what: 'Este usuário não existe ou deixou de existir.',
    todo: 'Verifique como foi escrito e atualize a lista.',
  },
  'organizations/name-taken': {
    what: 'Outra organização já tem este nome.',
    todo: 'Escolha outro nome.',
  },
  'organizations/already-member': {
    what: 'Este usuário já é membro.',
    todo: 'Procure-o na lista para alterar a função.',
  },
  'organizations/last-administrator': {
    what: 'Uma organização precisa de um administrador, e este é o último.',
    todo: 'Atribua primeiro a função de administrador a outra pessoa.',
  },
  'organizations/refused': {
    what: 'O serviço de organizações não o fez.',
    todo: 'Tente novamente mais tarde ou pergunte aos administradores do serviço.',
  },
  'organizations/invalid-response': {
    what: 'O serviço de organizações respondeu de uma forma que o Causeway não pode usar.',
    todo: 'Avise os administradores do serviço. Se houve uma alteração, atualize para ver se foi feita.',
  },

  'content/invalid-request': {
    what: 'O serviço de notícias não aceita o que foi inserido.',
    todo: 'Verifique e tente novamente.',
  },
  'content/refused': {
    what: 'O serviço de notícias recusou o pedido.',
    todo: 'Pergunte à sua organização se pode ser usado com a sua conta.',
  },
  'content/not-found': {
    what: 'O serviço de notícias não tem nada ali, ou já não tem.',
    todo: 'Volte à lista e atualize-a, ou verifique o endereço.',
  },
  'content/unavailable': {
    what: 'O serviço de notícias não pode responder agora.',
    todo: 'Aguarde um momento e tente novamente.',
  },
  'content/invalid-response': {
    what: 'O serviço de notícias respondeu de uma forma que o Causeway não pode usar.',
    todo: 'Tente novamente mais tarde. Se continuar assim, avise os administradores do serviço.',
  },

  'settings/unknown': {
    what: 'Este ajuste não existe.',
    todo: 'Escolha um dos que são mostrados.',
  },
  'settings/invalid-value': {
    what: 'Este ajuste não aceita esse valor.',
    todo: 'Escolha outro.',
  },
  'start-at-login/window-only': {
    what: 'O comando do terminal não pode ativar isto aqui.',
    todo: 'Ative nos ajustes da janela.',
  },
  'start-at-login/refused': {
    what: 'O sistema não aceitou isto.',
    todo: 'Procure o Causeway entre os itens de início nas configurações do sistema e permita-o lá.',
  },
  'data/damaged': {
    what: 'Um arquivo do Causeway estava danificado, e o Causeway continuou sem ele.',
    todo: 'Foi posto de lado, e nada dele foi apagado. Verifique os ajustes e a lista de serviços.',
  },
  'data/unreadable': {
    what: 'Não foi possível ler um arquivo do Causeway.',
    todo: 'Verifique se há permissão para ler o arquivo indicado abaixo.',
  },
  'data/unwritable': {
    what: 'O Causeway não conseguiu salvar a alteração.',
    todo: 'Verifique se há espaço no disco e permissão para escrever no arquivo indicado abaixo.',
  },
  'data/busy': {
    what: 'Outro Causeway está ocupado com o mesmo arquivo há tempo demais.',
    todo: 'Aguarde um momento, ou encerre o outro, e tente novamente.',
  },

  'connection/held-by-other': {
    what: 'Outro Causeway seu, como o comando do terminal, está com o túnel.',
    todo: 'Desconecte primeiro por lá ou desconecte-o aqui.',
  },

  'session/ends-soon': {
    what: 'A sua sessão expira em breve.',
    todo: 'Renove-a antes em Conexão. Para isso, autorize o Causeway mais uma vez no navegador.',
  },
  'session/over': {
    what: 'A sua sessão expirou.',
    todo: 'Renove-a: autorize o Causeway no navegador, e a conexão volta.',
  },
  'clock/wrong': {
    what: 'O relógio deste computador está errado, por isso o seu certificado não é válido aqui.',
    todo: 'Acerte o relógio e o fuso horário nas configurações do sistema, de preferência no modo automático, e conecte novamente.',
  },
}
