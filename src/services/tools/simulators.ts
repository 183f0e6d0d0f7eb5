/** The list of simulators as customers see it: what each is called and reads, and whether it can be run now. */
import type { ToolRegistry } from '../../tools/registry.ts';
import type { ToolOffers } from './offers.ts';
import type { SimulatorListResponse } from '../../domain/answers.ts';

/** Lists the simulators that customers may ask for. */
export async function listSimulators(
  tools: ToolRegistry,
  offers: ToolOffers,
): Promise<Omit<SimulatorListResponse, 'nextCursor'>> {
  const offered = tools
    .ids()
    .map((id) => tools.find(id))
    .filter(({ about }) => about.audience === 'customers');
  const simulators = await Promise.all(
    offered.map(async (tool) => {
      const { about, planning, request } = tool;
      const { available, reason, version, digest, variants } = await offers.of(tool);
      return {
        id: about.id,
        aliases: [...about.aliases],
        jobType: about.jobType,
        title: about.title,
        available,
        reason,
        version,
        packDigest: digest,
        variants: variants.map((each) => ({
          name: each.name,
          version: each.version,
          packDigest: each.digest,
        })),
        unit: about.unit,
        priceModel: planning.priceModel,
        licence: { ...about.licence },
        needsSceneFile: request.needsSceneFile,
        parameters: [...(request.reads ?? [])],
      };
    }),
  );
  return { simulators };
}
