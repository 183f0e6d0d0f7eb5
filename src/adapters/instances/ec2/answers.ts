/**
 * Meanings of EC2's answers to a launch. Only a code of these lists is definite; everything else may have had its effect or not,
 * so the same is asked again: time-outs, connections that break, throttling, faults of EC2.
 */
import { isRecord } from '../../../domain/is-record.ts';

/** `capacity`: another candidate may have room. `never`: no repeat helps. `ended`: the instance of the token has ended. */
export type LaunchError = 'capacity' | 'never' | 'ended' | 'unknown';

/** There is no room for this candidate now. */
export const CAPACITY_CODES: readonly string[] = [
  'InsufficientInstanceCapacity',
  'InsufficientHostCapacity',
  'InsufficientReservedInstanceCapacity',
  'InsufficientFreeAddressesInSubnet',
  'InsufficientCapacity',
  'MaxSpotInstanceCountExceeded',
  'SpotMaxPriceTooLow',
  'Unsupported',
];

/** Codes of quotas: there is no room as long as instances of ours use the quota; one that nothing of ours uses is for an operator. */
export const QUOTA_CODES: readonly string[] = ['VcpuLimitExceeded', 'InstanceLimitExceeded'];

/** Errors that stay until an operator has mended their cause. */
export const NEVER_CODES: readonly string[] = [
  'InvalidAMIID.NotFound',
  'InvalidAMIID.Malformed',
  'InvalidAMIID.Unavailable',
  'InvalidAMIID.NotAvailable',
  'InvalidSubnetID.NotFound',
  'InvalidSubnetID.Malformed',
  'InvalidSubnet',
  'InvalidSubnet.Range',
  'InvalidGroup.NotFound',
  'InvalidGroup.Malformed',
  'InvalidGroupId.Malformed',
  'InvalidSecurityGroupID.NotFound',
  'InvalidSecurityGroup.NotFound',
  'InvalidSecurityGroupId.Malformed',
  'InvalidIamInstanceProfileArn.Malformed',
  'InvalidParameterValue',
  'InvalidParameterCombination',
  'InvalidParameter',
  'MissingParameter',
  'ValidationError',
  'InvalidInstanceType',
  'InvalidBlockDeviceMapping',
  'InvalidUserData.Malformed',
  'UnknownParameter',
  'UnauthorizedOperation',
  'AuthFailure',
  'AuthFailure.ServiceLinkedRoleCreationNotPermitted',
  'OptInRequired',
  'PendingVerification',
  'Blocked',
  'AccountDisabled',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
  'AccessDenied',
  'AccessDeniedException',
  'SignatureDoesNotMatch',
  'MaxIOPSLimitExceeded',
  'EncryptedVolumesNotSupported',
  'KMSKeyNotAccessible',
  'IdempotentParameterMismatch',
  'UnsupportedOperation',
];

/** The instance of this token has ended, so that a new token is needed. */
const ENDED_CODES: readonly string[] = ['IdempotentInstanceTerminated'];

/** The code of an error of AWS; null for an error without one, as of a connection. */
export function codeOf(error: unknown): string | null {
  if (!isRecord(error)) return null;
  const { Code: code, name } = error;
  if (typeof code === 'string' && code !== '') return code;
  return '$metadata' in error && typeof name === 'string' ? name : null;
}

/** Judges an error of a launch; with a quota it depends on whether instances of ours use the quota. */
export function meaningOf(error: unknown, isQuotaInUse: boolean): LaunchError {
  const code = codeOf(error);
  if (code === null) return 'unknown';
  if (ENDED_CODES.includes(code)) return 'ended';
  if (CAPACITY_CODES.includes(code)) return 'capacity';
  if (QUOTA_CODES.includes(code)) return isQuotaInUse ? 'capacity' : 'never';
  return NEVER_CODES.includes(code) ? 'never' : 'unknown';
}

/** Whether an error means that EC2 does not know one of the instances that a call names. */
export function isUnknownInstance(error: unknown): boolean {
  const code = codeOf(error);
  return code !== null && code.startsWith('InvalidInstanceID');
}

/** Code and words of an error, for operators. */
export function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error);
  return `${codeOf(error) ?? 'no code'}: ${words}`.slice(0, MOST_CHARACTERS);
}

const MOST_CHARACTERS = 1000;
