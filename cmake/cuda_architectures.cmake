# dcsim_cuda_architectures(RESULT WANTED): the compute capabilities that nvcc shall build for, such as
# "80;90a". WANTED is a list of them, or "native": those of the GPUs in this machine, as the driver's
# nvidia-smi names them; without a GPU those of the H100 and the H200. CMake's own "native" needs 3.24, and
# without a GPU it takes whatever nvcc holds for usual.
function(dcsim_cuda_architectures result wanted)
  if(NOT wanted STREQUAL "native")
    set(${result} "${wanted}" PARENT_SCOPE)
    return()
  endif()
  set(found "")
  find_program(DCSIM_NVIDIA_SMI nvidia-smi)
  if(DCSIM_NVIDIA_SMI)
    execute_process(COMMAND ${DCSIM_NVIDIA_SMI} --query-gpu=compute_cap --format=csv,noheader
                    OUTPUT_VARIABLE answer RESULT_VARIABLE status ERROR_QUIET)
    if(status EQUAL 0 AND answer MATCHES "^([0-9]+\\.[0-9]+ *\n?)+$")
      string(REGEX MATCHALL "[0-9]+\\.[0-9]+" found "${answer}")
    endif()
  endif()
  if(NOT found)
    message(NOTICE "dcsim-calibrate is built for H100 and H200: there is no GPU here. For another one give its "
            "compute capability (nvidia-smi --query-gpu=compute_cap --format=csv): 8.9 is -DDCSIM_CUDA_ARCHITECTURES=89")
    set(${result} 90a PARENT_SCOPE)
    return()
  endif()
  list(REMOVE_DUPLICATES found)
  list(SORT found COMPARE NATURAL)
  string(REPLACE "." "" found "${found}")
  # The ceiling of 9.0's tensor cores is measured with instructions that are its own (gpu/ceilings.cu).
  list(TRANSFORM found REPLACE "^90$" "90a")
  message(STATUS "dcsim-calibrate is built for the GPUs here: ${found}")
  set(${result} "${found}" PARENT_SCOPE)
endfunction()
