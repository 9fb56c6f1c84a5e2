#include "decode/vendor/cpumodel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Models [from, to] of a family with these steppings or later ones. */
struct x86_model {
	unsigned family, from, to, stepping;
	const char *events;
};

/* Of rows that fit, the first counts. */
static const struct x86_model intel_models[] = {
	{6, 15, 15, 0, "core"},	     {6, 22, 23, 0, "core"},	  {6, 29, 29, 0, "core"},
	{6, 28, 28, 0, "atom"},	     {6, 38, 39, 0, "atom"},	  {6, 53, 54, 0, "atom"},
	{6, 26, 26, 0, "nhm"},	     {6, 30, 31, 0, "nhm"},	  {6, 46, 46, 0, "nhm_ex"},
	{6, 37, 37, 0, "wsm"},	     {6, 44, 44, 0, "wsm_dp"},	  {6, 47, 47, 0, "wsm_dp"},
	{6, 42, 42, 0, "snb"},	     {6, 45, 45, 0, "snb_ep"},	  {6, 58, 58, 0, "ivb"},
	{6, 62, 62, 0, "ivb_ep"},    {6, 60, 60, 0, "hsw"},	  {6, 69, 70, 0, "hsw"},
	{6, 63, 63, 0, "hsw_ep"},    {6, 61, 61, 0, "bdw"},	  {6, 71, 71, 0, "bdw"},
	{6, 79, 79, 0, "bdw_ep"},    {6, 86, 86, 0, "bdw_ep"},	  {6, 78, 78, 0, "skl"},
	{6, 94, 94, 0, "skl"},	     {6, 142, 142, 0, "skl"},	  {6, 158, 158, 0, "skl"},
	{6, 165, 166, 0, "skl"},     {6, 85, 85, 5, "clx"},	  {6, 85, 85, 0, "skx"},
	{6, 125, 126, 0, "icl"},     {6, 157, 157, 0, "icl"},	  {6, 140, 141, 0, "icl"},
	{6, 167, 167, 0, "icl"},     {6, 106, 106, 0, "icx"},	  {6, 108, 108, 0, "icx"},
	{6, 143, 143, 0, "spr"},     {6, 207, 207, 0, "emr"},	  {6, 173, 174, 0, "gnr"},
	{6, 55, 55, 0, "slm"},	     {6, 74, 77, 0, "slm"},	  {6, 90, 90, 0, "slm"},
	{6, 93, 93, 0, "slm"},	     {6, 92, 92, 0, "glm"},	  {6, 95, 95, 0, "glm"},
	{6, 122, 122, 0, "glm"},     {6, 134, 134, 0, "tmt"},	  {6, 150, 150, 0, "tmt"},
	{6, 156, 156, 0, "tmt"},     {6, 87, 87, 0, "knl"},	  {6, 133, 133, 0, "knm"},
	{6, 151, 151, 0, "adl_glc"}, {6, 154, 154, 0, "adl_glc"}, {6, 183, 183, 0, "adl_glc"},
	{6, 186, 186, 0, "adl_glc"},
};

static const struct x86_model amd_models[] = {
	{16, 2, 2, 0, "amd64_fam10h_barcelona"},    {16, 4, 6, 0, "amd64_fam10h_shanghai"},
	{16, 8, 10, 0, "amd64_fam10h_istanbul"},    {17, 0, 255, 0, "amd64_fam11h_turion"},
	{18, 0, 255, 0, "amd64_fam12h_llano"},	    {20, 0, 255, 0, "amd64_fam14h_bobcat"},
	{21, 0, 255, 0, "amd64_fam15h_interlagos"}, {22, 0, 255, 0, "amd64_fam16h"},
	{23, 0, 47, 0, "amd64_fam17h_zen1"},	    {23, 48, 255, 0, "amd64_fam17h_zen2"},
	{25, 16, 31, 0, "amd64_fam19h_zen4"},	    {25, 0, 95, 0, "amd64_fam19h_zen3"},
	{25, 96, 255, 0, "amd64_fam19h_zen4"},	    {26, 0, 255, 0, "amd64_fam1ah_zen5"},
};

/* Implementer and part number of the main id register. */
struct arm_model {
	unsigned implementer, part;
	const char *events;
};

static const struct arm_model arm_models[] = {
	{0x41, 0xd03, "arm_ac53"},	{0x41, 0xd07, "arm_ac57"},  {0x41, 0xd0c, "arm_n1"},
	{0x41, 0xd49, "arm_n2"},	{0x41, 0xd8e, "arm_n3"},    {0x41, 0xd40, "arm_v1"},
	{0x41, 0xd4f, "arm_v2"},	{0x41, 0xd83, "arm_v3"},    {0x42, 0x516, "arm_thunderx2"},
	{0x43, 0x0af, "arm_thunderx2"}, {0x46, 0x001, "arm_a64fx"}, {0x48, 0xd01, "arm_kunpeng"},
	{0x50, 0x000, "arm_xgene"},
};

/* "VENDOR,family,model,stepping": numbers without signs or blanks; older perfs end it with a $. */
static bool read_x86(const char *cpuid, unsigned number[3])
{
	const char *at = strchr(cpuid, ',');

	for (int i = 0; i < 3; i++) {
		char *end;
		unsigned long value;

		if (!at || *at != ',' || at[1] < '0' || at[1] > '9')
			return false;
		value = strtoul(at + 1, &end, 10);
		if (value > 0xffff)
			return false;
		number[i] = (unsigned)value;
		at = end;
	}
	return *at == '\0' || strcmp(at, "$") == 0;
}

static const char *find_x86(const struct x86_model *models, size_t nr, const unsigned number[3])
{
	for (size_t i = 0; i < nr; i++)
		if (models[i].family == number[0] && models[i].from <= number[1] &&
		    number[1] <= models[i].to && models[i].stepping <= number[2])
			return models[i].events;
	return NULL;
}

static const char *find_arm(const char *cpuid)
{
	char *end;
	const unsigned long long id = strtoull(cpuid, &end, 16);

	if (*end != '\0' || strlen(cpuid) != strlen("0x0123456789abcdef"))
		return NULL;
	for (size_t i = 0; i < sizeof(arm_models) / sizeof(arm_models[0]); i++)
		if (arm_models[i].implementer == (id >> 24 & 0xff) &&
		    arm_models[i].part == (id >> 4 & 0xfff))
			return arm_models[i].events;
	return NULL;
}

static bool starts_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* The small cores of a hybrid CPU have events of their own. */
static const char *of_core(const char *events, const char *pmu)
{
	if (!events || !pmu || strcmp(pmu, "cpu_atom") != 0)
		return events;
	return strcmp(events, "adl_glc") == 0 ? "adl_grt" : NULL;
}

bool cpumodel_find(struct cpu_model *model, const char *cpuid, const char *pmu)
{
	unsigned number[3];

	*model = (struct cpu_model){0};
	if (starts_with(cpuid, "0x")) {
		model->form = CODE_FORM_ARM;
		model->events = find_arm(cpuid);
	} else if (starts_with(cpuid, "GenuineIntel,") && read_x86(cpuid, number)) {
		model->form = CODE_FORM_INTEL;
		model->events =
			of_core(find_x86(intel_models,
					 sizeof(intel_models) / sizeof(intel_models[0]), number),
				pmu);
	} else if (starts_with(cpuid, "AuthenticAMD,") && read_x86(cpuid, number)) {
		model->form = CODE_FORM_AMD;
		model->events =
			find_x86(amd_models, sizeof(amd_models) / sizeof(amd_models[0]), number);
	}
	return model->events != NULL;
}
