import type { Member, Role } from './organization'

/** The members with this one among them, in their old place if they were there already. */
export function withMember(members: Member[], member: Member): Member[] {
  return members.some(({ userId }) => userId === member.userId)
    ? members.map((old) => (old.userId === member.userId ? member : old))
    : [...members, member]
}

/** The members with another role for one of them. */
export function withRole(members: Member[], userId: number, role: Role): Member[] {
  return members.map((member) => (member.userId === userId ? { ...member, role } : member))
}

/** The members without one of them. */
export function withoutMember(members: Member[], userId: number): Member[] {
  return members.filter((member) => member.userId !== userId)
}

/** Whether a change takes the last administrator from an organization. */
export function losesLastAdmin(before: Member[], after: Member[]): boolean {
  const hasAdmin = (members: Member[]) => members.some(({ role }) => role === 'Admin')
  return hasAdmin(before) && !hasAdmin(after)
}
