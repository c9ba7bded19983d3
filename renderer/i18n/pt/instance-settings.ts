import type { Translation } from '../translation'

/** The settings of one instance, in Portuguese. */
export const instanceSettings: Translation['settings']['instance'] = {
  change: 'Ajustes',
  changeOf: 'Ajustes de {{instance}}',
  title: 'Ajustes de {{instance}}',
  text: 'Deixe um campo vazio para usar o que o próprio serviço indica.',
  loading: 'Lendo os ajustes',
  notOffered: 'O serviço não oferece nenhum',
  notKnown: 'Não é possível consultar o serviço agora',
  clientId: 'ID do cliente',
  clientIdText: 'O nome com que o Causeway entra no serviço. Depois de alterá-lo, entre novamente.',
  attachments: 'Endereço dos anexos',
  content: 'Endereço das notícias',
  organizations: 'Endereço das organizações',
  userId: 'O seu ID de usuário',
  userIdText: 'Para um serviço de anexos que não reconhece o usuário por si só.',
  roles: 'As suas funções lá',
  role: {
    ADMINISTRATOR: 'Administrador',
    CONTRIBUTOR: 'Colaborador',
    MEMBER: 'Membro',
  },
  save: 'Salvar',
  cancel: 'Cancelar',
  saved: 'Ajustes salvos.',
  invalid: {
    address:
      'Este valor não pode ser usado. Indique um endereço que comece por https:// e não contenha nome de usuário, ? nem #.',
    clientId: 'Este valor não pode ser usado. Indique o ID que o serviço conhece, como org.example.app.',
    userId: 'Este valor não pode ser usado. Indique letras, algarismos e sinais sem espaços, no máximo 255.',
  },
}
