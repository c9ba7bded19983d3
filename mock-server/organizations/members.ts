import type { Member, Role } from './organization'

/** Returns the members with this one added, or replaced in place. */
export function withMember(members: Member[], member: Member): Member[] {
  return members.some(({ userId }) => userId === member.userId)
    ? members.map((old) => (old.userId === member.userId ? member : old))
    : [...members, member]
}

/** Returns the members with a new role for one of them. */
export function withRole(members: Member[], userId: number, role: Role): Member[] {
  return members.map((member) => (member.userId === userId ? { ...member, role } : member))
}

/** Returns the members without one of them. */
export function withoutMember(members: Member[], userId: number): Member[] {
  return members.filter((member) => member.userId !== userId)
}

/** Returns whether a change removes the last administrator of an organization. */
export function losesLastAdmin(before: Member[], after: Member[]): boolean {
  const hasAdmin = (members: Member[]) => members.some(({ role }) => role === 'Admin')
  return hasAdmin(before) && !hasAdmin(after)
}
