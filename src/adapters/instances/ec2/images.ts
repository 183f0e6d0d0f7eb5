/** The image of an instance: an id, or an SSM parameter that is resolved once for a launch and then stays what it was. */
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import type { SSMClient } from '@aws-sdk/client-ssm';

import type { Never } from '../instances.ts';
import { codeOf, NEVER_CODES, wordsOf } from './answers.ts';

const IMAGE_ID = /^ami-[0-9a-f]{8,17}$/;
/** The parameter is not there, or may not be read. */
const NEVER_OF_SSM: readonly string[] = ['ParameterNotFound', 'ParameterVersionNotFound', ...NEVER_CODES];

/** Whether a text names an image: by its id, or by the path of an SSM parameter. */
export function isImageName(text: string): boolean {
  return IMAGE_ID.test(text) || /^\/[A-Za-z0-9_.\-/]{1,1000}$/.test(text);
}

/** The id of an image. @throws Error without a definite answer. */
export async function imageIdOf(client: SSMClient, named: string): Promise<string | Never> {
  if (IMAGE_ID.test(named)) return named;
  try {
    const { Parameter: parameter } = await client.send(new GetParameterCommand({ Name: named }));
    const id = parameter?.Value ?? '';
    if (IMAGE_ID.test(id)) return id;
    return { state: 'never', cause: `The SSM parameter ${named} holds no id of an image.` };
  } catch (error) {
    if (!NEVER_OF_SSM.includes(codeOf(error) ?? '')) throw error;
    return { state: 'never', cause: `SSM parameter ${named}: ${wordsOf(error)}` };
  }
}
